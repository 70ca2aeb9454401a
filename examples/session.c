/* session.c - a density that answers questions one at a time: charged once, the same answer at the
 * same point for ever.  A progress function can stop the run while nothing is charged.
 *
 *   session age.sfs
 *
 * Build it against an installed sfumato (docs/guides/embed.md):
 *   cc -std=c17 session.c $(pkg-config --cflags --libs sfumato) -o session */
#include <stdio.h>

#include <sfumato/sfumato.h>

static const char *const COLUMNS[] = {"age"};

/* false would stop the run. */
static bool tell(void *data, const sfm_progress *at) {
  unsigned *rows = (unsigned *)data;
  if (at->stage == SFM_STAGE_READING) *rows = (unsigned)at->done;
  return true;
}

static sfm_status create(const char *path, sfm_error *error) {
  static double ages[20000];
  const double bandwidth[] = {5};
  unsigned read = 0;
  sfm_schema *schema = NULL;
  sfm_rows *rows = NULL;
  for (int i = 0; i < 20000; i++) ages[i] = i * 37 % 100;
  sfm_status status = sfm_schema_create(&schema, error);
  if (!status) status = sfm_schema_set_bounds(schema, "age", 0, 100, error);
  if (!status) status = sfm_rows_from_array(&rows, ages, 20000, 1, COLUMNS, error);
  if (!status) {
    sfm_density_settings settings = sfm_density_settings_default();
    settings.context.schema = schema;
    settings.context.progress = tell;
    settings.context.progress_data = &read;
    settings.columns = COLUMNS;
    settings.dimension = 1;
    settings.bandwidth = bandwidth;
    settings.epsilon = 1;
    settings.delta = 1e-6;
    status = sfm_online_create(path, rows, &settings, NULL, error);
  }
  if (!status) printf("%u rows were read\n", read);
  sfm_rows_destroy(rows);
  sfm_schema_destroy(schema);
  return status;
}

static sfm_status ask(const char *path, sfm_error *error) {
  const double points[] = {20, 50, 20};
  double values[3];
  sfm_online *session = NULL;
  sfm_status status = sfm_online_open(&session, path, error);
  if (!status) status = sfm_online_ask(session, values, points, 3, error);
  if (!status) printf("%s\n", sfm_online_sentence(session));
  for (int i = 0; !status && i < 3; i++) printf("at %g: %.6f\n", points[i], values[i]);
  if (!status) status = sfm_online_wipe(session, error); /* the file is private */
  sfm_online_close(session);
  return status;
}

int main(int count, char **words) {
  if (count != 2) {
    fprintf(stderr, "usage: session NEW-SESSION\n");
    return 2;
  }
  sfm_error error;
  sfm_status status = create(words[1], &error);
  if (!status) status = ask(words[1], &error);
  if (status) fprintf(stderr, "session: %s\n", error.message);
  return sfm_status_exit_code(status);
}
