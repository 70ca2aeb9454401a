/* partial.c - rows that lie in three places: each adds up its own, and the density is released from
 * what they send.  Here all of it happens in one program.
 *
 *   partial LEDGER
 *
 * The ledger is created with a dataset "visits".  Its key goes to the places, which send bytes;
 * both are private.  The release is charged once.
 *
 * Build it against an installed sfumato (docs/guides/embed.md):
 *   cc -std=c17 partial.c $(pkg-config --cflags --libs sfumato) -o partial */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sfumato/sfumato.h>

enum { PLACES = 3, ROWS = 2000 };

/* What all places and the owner agree on. */
static sfm_density_settings settings_of(const sfm_schema *schema) {
  static const char *const columns[] = {"age"};
  static const double bandwidth[] = {3};
  sfm_density_settings settings = sfm_density_settings_default();
  settings.context.schema = schema;
  settings.columns = columns;
  settings.dimension = 1;
  settings.bandwidth = bandwidth;
  settings.epsilon = 1;
  return settings;
}

/* At place `number`: its rows become bytes. */
static sfm_status make_part(void **bytes, size_t *size, uint64_t number, const sfm_key *key,
                            const sfm_schema *schema, sfm_error *error) {
  static const char *const names[] = {"age"};
  static double ages[ROWS];
  const sfm_density_settings settings = settings_of(schema);
  sfm_part part = sfm_part_default();
  sfm_partial *partial = NULL;
  sfm_rows *rows = NULL;
  for (int i = 0; i < ROWS; i++) ages[i] = (i * 37 + (int)number) % 90;
  part.number = number;
  part.of = PLACES;
  part.rows = (uint64_t)PLACES * ROWS;
  part.key = key;
  sfm_status status = sfm_density_partial_create(&partial, &settings, &part, error);
  if (!status) status = sfm_rows_from_array(&rows, ages, ROWS, 1, names, error);
  if (!status) status = sfm_partial_add(partial, rows, error);
  if (!status) status = sfm_partial_to_bytes(partial, bytes, size, error);
  sfm_rows_destroy(rows);
  sfm_partial_destroy(partial);
  return status;
}

/* At the owner: bytes that have arrived go into *all. */
static sfm_status merge_part(sfm_partial **all, const void *bytes, size_t size, sfm_error *error) {
  sfm_partial *part = NULL;
  sfm_status status = sfm_partial_from_bytes(&part, bytes, size, error);
  if (status || !*all) {
    *all = part;
    return status;
  }
  status = sfm_partial_merge(*all, part, error);
  sfm_partial_destroy(part);
  return status;
}

static sfm_status release(const sfm_partial *all, sfm_ledger *ledger, const sfm_schema *schema,
                          sfm_error *error) {
  sfm_charge charge;
  sfm_density_settings settings = settings_of(schema);
  sfm_release *density = NULL;
  sfm_evaluator *evaluator = NULL;
  sfm_rows *rows = NULL;
  const double ages[] = {20, 45, 70};
  double values[3];
  memset(&charge, 0, sizeof charge);
  charge.ledger = ledger;
  charge.dataset = "visits";
  settings.context.charge = &charge;
  sfm_status status = sfm_rows_from_partial(&rows, all, error);
  if (!status) status = sfm_density_release(&density, NULL, rows, &settings, error);
  if (!status) status = sfm_evaluator_create(&evaluator, density, 0, error);
  if (!status) status = sfm_evaluator_at(evaluator, values, ages, 3, error);
  for (int i = 0; !status && i < 3; i++) printf("density at %g: %.4f\n", ages[i], values[i]);
  sfm_evaluator_destroy(evaluator);
  sfm_release_destroy(density);
  sfm_rows_destroy(rows);
  return status;
}

static sfm_status run(const char *path, sfm_error *error) {
  const sfm_dataset dataset = {"visits", 2, 0, SFM_ACCOUNTING_BASIC};
  sfm_ledger *ledger = NULL;
  sfm_schema *schema = NULL;
  sfm_partial *all = NULL;
  sfm_key *key = NULL;
  sfm_status status = sfm_ledger_create(path, NULL, &dataset, error);
  if (!status) status = sfm_ledger_open(&ledger, path, error);
  if (!status) status = sfm_ledger_key(&key, ledger, "visits", error);
  if (!status) status = sfm_schema_create(&schema, error);
  if (!status) status = sfm_schema_set_bounds(schema, "age", 0, 100, error);
  for (uint64_t i = 1; !status && i <= PLACES; i++) {
    void *bytes = NULL;
    size_t size = 0;
    status = make_part(&bytes, &size, i, key, schema, error);
    if (!status) status = merge_part(&all, bytes, size, error);
    sfm_partial_free_bytes(bytes, size);
  }
  if (!status) status = release(all, ledger, schema, error);
  sfm_partial_destroy(all);
  sfm_schema_destroy(schema);
  sfm_key_destroy(key);
  sfm_ledger_close(ledger);
  return status;
}

int main(int count, char **words) {
  sfm_error error;
  if (count != 2) {
    fprintf(stderr, "usage: partial LEDGER\n");
    return 2;
  }
  const sfm_status status = run(words[1], &error);
  if (status) fprintf(stderr, "partial: %s\n", error.message);
  return status ? 1 : 0;
}
