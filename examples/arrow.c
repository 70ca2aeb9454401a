/* arrow.c - a program that hands a table in its own memory to sfumato as an Arrow C stream, without
 * a copy, and releases how many records satisfy a condition.
 *
 *   arrow
 *
 * Any producer of Arrow streams can take the place of the one here: pyarrow, polars, DuckDB, ...
 *
 * Build it against an installed sfumato (docs/guides/embed.md):
 *   cc -std=c17 arrow.c $(pkg-config --cflags --libs sfumato) -o arrow */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sfumato/sfumato.h>

enum { ROWS = 1000 };

/* The private table: a column of doubles, and one of short texts. */
static double ages[ROWS];
static int32_t offsets[ROWS + 1];
static char wards[ROWS];

static void keep_schema(struct ArrowSchema *schema) {
  schema->release = NULL; /* nothing to free: all of it is static */
}

static void keep_array(struct ArrowArray *array) {
  array->release = NULL;
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
  static struct ArrowSchema age, ward, *children[2];
  (void)stream;
  memset(&age, 0, sizeof age);
  age.format = "g"; /* double */
  age.name = "age";
  age.release = keep_schema;
  ward = age;
  ward.format = "u"; /* UTF-8 text */
  ward.name = "ward";
  children[0] = &age;
  children[1] = &ward;
  memset(out, 0, sizeof *out);
  out->format = "+s"; /* a record batch */
  out->n_children = 2;
  out->children = children;
  out->release = keep_schema;
  return 0;
}

/* One chunk, and then the end. */
static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out) {
  static struct ArrowArray age, ward, *children[2];
  static const void *age_buffers[2], *ward_buffers[3], *none[1];
  memset(out, 0, sizeof *out);
  if (!stream->private_data) return 0;
  stream->private_data = NULL;
  age_buffers[1] = ages; /* the first buffer would say which cells are null */
  ward_buffers[1] = offsets;
  ward_buffers[2] = wards;
  memset(&age, 0, sizeof age);
  age.length = ROWS;
  age.n_buffers = 2;
  age.buffers = age_buffers;
  age.release = keep_array;
  ward = age;
  ward.n_buffers = 3;
  ward.buffers = ward_buffers;
  children[0] = &age;
  children[1] = &ward;
  out->length = ROWS;
  out->n_buffers = 1;
  out->buffers = none;
  out->n_children = 2;
  out->children = children;
  out->release = keep_array;
  return 0;
}

static const char *get_last_error(struct ArrowArrayStream *stream) {
  (void)stream;
  return NULL;
}

static void release_stream(struct ArrowArrayStream *stream) {
  stream->release = NULL;
}

static sfm_status release_count(sfm_error *error) {
  struct ArrowArrayStream stream = {get_schema, get_next, get_last_error, release_stream, wards};
  const char *const categories[] = {"A", "B"};
  sfm_schema *schema = NULL;
  sfm_rows *rows = NULL;
  sfm_release *release = NULL;
  sfm_status status = sfm_schema_create(&schema, error);
  if (!status) status = sfm_schema_set_categories(schema, "ward", categories, 2, error);
  /* The stream is the rows' own from here on. */
  if (!status) status = sfm_rows_from_arrow_stream(&rows, &stream, SFM_ARROW_CHUNKS_KEEP, error);
  if (!status) {
    sfm_count_settings settings = sfm_count_settings_default();
    settings.context.schema = schema;
    settings.where = "age >= 65 and ward == \"A\"";
    settings.epsilon = 1;
    status = sfm_count_release(&release, rows, &settings, error);
  }
  if (!status)
    printf("%g of %d, within %g\n%s\n", sfm_release_coefficient(release, 0), ROWS,
           sfm_release_band(release).half_width, sfm_release_sentence(release));
  sfm_release_destroy(release);
  sfm_rows_destroy(rows);
  sfm_schema_destroy(schema);
  return status;
}

int main(void) {
  sfm_error error;
  for (int i = 0; i < ROWS; i++) {
    ages[i] = i * 37 % 100;
    wards[i] = i % 3 ? 'A' : 'B';
    offsets[i + 1] = i + 1;
  }
  const sfm_status status = release_count(&error);
  if (status) fprintf(stderr, "arrow: %s\n", error.message);
  return status ? 1 : 0;
}
