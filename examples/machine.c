/* machine.c - a program that learns a classifier from rows in memory and asks it about two others.
 *
 *   machine [model.sfm]
 *
 * Build it against an installed sfumato (docs/guides/embed.md):
 *   cc -std=c17 machine.c $(pkg-config --cflags --libs sfumato) -o machine */
#include <stdio.h>

#include <sfumato/sfumato.h>

enum { ROWS = 4000, COLUMNS = 3 };

/* Private rows, invented: who is ill lives within a ring of age and dose. */
static void invent(double *rows) {
  for (int i = 0; i < ROWS; i++) {
    const double age = i * 37 % 101, dose = i * 53 % 97 / 96.0;
    const double a = (age - 60) / 30, b = (dose - 0.5) / 0.4;
    rows[i * COLUMNS] = age;
    rows[i * COLUMNS + 1] = dose;
    rows[i * COLUMNS + 2] = a * a + b * b < 1 ? 1 : -1;
  }
}

/* The owner's side. */
static sfm_status learn(sfm_release **out, const double *numbers, sfm_error *error) {
  static const char *const names[] = {"age", "dose", "ill"};
  sfm_schema *schema = NULL;
  sfm_rows *rows = NULL;
  *out = NULL;
  sfm_status status = sfm_schema_create(&schema, error);
  if (!status) status = sfm_schema_set_bounds(schema, "age", 0, 100, error);
  if (!status) status = sfm_schema_set_bounds(schema, "dose", 0, 1, error);
  if (!status) status = sfm_rows_from_array(&rows, numbers, ROWS, COLUMNS, names, error);
  if (!status) {
    sfm_train_settings settings = sfm_train_settings_default(); /* labels -1 and 1, hinge loss */
    settings.context.schema = schema;
    settings.features = names;
    settings.feature_count = 2;
    settings.label = "ill";
    settings.kernel = SFM_KERNEL_GAUSSIAN;
    settings.bandwidth = 0.5;
    settings.method = SFM_TRAIN_RFF;
    settings.rff_features = 200;
    settings.epsilon = 2;
    settings.delta = 1e-6;
    status = sfm_train_release(out, rows, &settings, error);
  }
  sfm_rows_destroy(rows);
  sfm_schema_destroy(schema);
  return status;
}

/* Anyone's side. */
static sfm_status ask(const sfm_release *machine, sfm_error *error) {
  const double points[] = {60, 0.5, 5, 0.1};
  double values[2], pointwise[2], everywhere[2];
  sfm_status status = sfm_machine_at(machine, values, points, 2, error);
  if (!status) status = sfm_machine_band(machine, pointwise, everywhere, points, 2, 0.95, error);
  if (status) return status;
  printf("%s\n", sfm_release_sentence(machine));
  for (int i = 0; i < 2; i++)
    printf("age %g, dose %g: %s (%.2f +-%.2f)\n", points[2 * i], points[2 * i + 1],
           sfm_machine_class(machine, sfm_machine_decide(machine, &values[i])), values[i],
           pointwise[i]);
  return SFM_OK;
}

int main(int count, char **words) {
  static double rows[ROWS * COLUMNS];
  sfm_release *machine = NULL;
  sfm_error error;
  invent(rows);
  sfm_status status = learn(&machine, rows, &error);
  if (!status) status = ask(machine, &error);
  if (!status && count > 1) status = sfm_release_write(machine, words[1], &error);
  if (status) fprintf(stderr, "machine: %s\n", error.message);
  sfm_release_destroy(machine);
  return sfm_status_exit_code(status);
}
