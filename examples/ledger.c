/* ledger.c - a program that keeps a budget: every release is charged to a ledger, a request that is
 * repeated gets the same answer without a second charge, and the ledger refuses what is too much.
 *
 *   ledger clinic.db
 *
 * Build it against an installed sfumato (docs/guides/embed.md):
 *   cc -std=c17 ledger.c $(pkg-config --cflags --libs sfumato) -o ledger */
#include <stdio.h>
#include <string.h>

#include <sfumato/sfumato.h>

static const char *const COLUMNS[] = {"age"};

/* The owner's private rows, invented. */
static sfm_status open_rows(sfm_rows **out, sfm_error *error) {
  static double ages[1000];
  for (int i = 0; i < 1000; i++) ages[i] = i * 37 % 100;
  return sfm_rows_from_array(out, ages, 1000, 1, COLUMNS, error);
}

/* How many are 65 or older, charged under an id. */
static sfm_status count_old(double *count, sfm_context context, sfm_charge charge,
                            const char *request, sfm_error *error) {
  sfm_rows *rows = NULL;
  sfm_release *release = NULL;
  sfm_count_settings settings = sfm_count_settings_default();
  charge.request = request;
  context.charge = &charge;
  settings.context = context;
  settings.where = "age >= 65";
  settings.epsilon = 0.5;
  sfm_status status = open_rows(&rows, error);
  if (!status) status = sfm_count_release(&release, rows, &settings, error);
  if (!status) *count = sfm_release_coefficient(release, 0);
  sfm_release_destroy(release);
  sfm_rows_destroy(rows);
  return status;
}

static sfm_status use(sfm_ledger *ledger, const sfm_schema *schema, sfm_error *error) {
  sfm_context context = sfm_context_default();
  sfm_charge charge;
  double first = 0, again = 0, other = 0;
  context.schema = schema;
  memset(&charge, 0, sizeof charge);
  charge.ledger = ledger;
  charge.dataset = "visits";
  sfm_status status = count_old(&first, context, charge, "old-2026", error);
  if (!status) status = count_old(&again, context, charge, "old-2026", error);
  if (!status) status = count_old(&other, context, charge, "old-2027", error);
  if (status) return status;
  printf("old-2026: %g, and again: %g; old-2027: %g\n", first, again, other);
  status = count_old(&other, context, charge, "old-2028", error);
  printf("old-2028: %s\n", status == SFM_REFUSED ? "refused, the budget is spent" : "not refused");
  return status == SFM_REFUSED ? SFM_OK : status;
}

int main(int count, char **words) {
  if (count != 2) {
    fprintf(stderr, "usage: ledger NEW-LEDGER\n");
    return 2;
  }
  const sfm_dataset dataset = {"visits", 1, 0, SFM_ACCOUNTING_BASIC}; /* epsilon 1 for ever */
  sfm_error error;
  sfm_schema *schema = NULL;
  sfm_ledger *ledger = NULL;
  sfm_status status = sfm_ledger_create(words[1], NULL, &dataset, &error);
  if (!status) status = sfm_schema_create(&schema, &error);
  if (!status) status = sfm_schema_set_bounds(schema, "age", 0, 100, &error);
  if (!status) status = sfm_ledger_open(&ledger, words[1], &error);
  if (!status) status = use(ledger, schema, &error);
  if (status) fprintf(stderr, "ledger: %s\n", error.message);
  sfm_ledger_close(ledger);
  sfm_schema_destroy(schema);
  return sfm_status_exit_code(status);
}
