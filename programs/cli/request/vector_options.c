#include "vector_options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/core/text.h"
#include "cli/io/csv_line.h"
#include "cli/io/npy_array.h"
#include "cli/core/shared_options.h"

const cli_option options_vector[] = {
    {"sensitivity", "NORM:SIZE",
     "how much one record can change the vector: l1:2 (the sum of all changes), l2:1, linf:1 (the "
     "largest change), polytope:@V.csv, one vertex per line of a polytope that contains every "
     "change or its opposite, or ellipsoid:@S.npy, a positive definite matrix S with v' S^-1 v <= "
     "1 for every change v"},
    CLI_SAME(epsilon),
    {"delta", "D", "above 0 and below 1, for normal noise", CLI_FRACTION("1e-6")},
    {0}};
const cli_option option_vector_noise = {
    "noise", "laplace|normal|gamma|k-norm",
    "laplace: pure epsilon, for l1; normal: needs --delta; gamma: pure epsilon for l2 and "
    "ellipsoids, idealised; k-norm: pure epsilon for linf, and idealised for polytopes",
    CLI_CHOICE(SFM_ENUMERATION_VECTOR_NOISE)};

static sfm_status read_ellipsoid(vector_options *m, const char *text, sfm_error *error) {
  npy_array array;
  if (text[0] != '@' || !text[1])
    return cli_misuse(error, "--sensitivity ellipsoid needs a matrix file; write ellipsoid:@S.npy");
  sfm_status status = file_load(&m->file, text + 1, error);
  if (!status) status = npy_open(&array, &m->file, error);
  if (!status && (array.axes != 2 || array.shape[0] != array.shape[1] || !array.shape[0]))
    status = cli_misuse(error, "%s is not a square matrix", text + 1);
  if (!status) status = npy_numbers(&m->settings.ellipsoid, &m->owned, &array, error);
  if (!status) m->size = array.shape[0];
  return status;
}

/* A line of numbers into *owned; the first line sets how many numbers a line has. */
static sfm_status read_vertex(vector_options *m, csv_line line, size_t number, size_t *room,
                              sfm_error *error) {
  const size_t count = csv_count_cells(line), at = m->settings.vertex_count * m->size;
  char cell[400];
  if (m->settings.vertex_count == 0) m->size = count;
  if (count != m->size)
    return cli_misuse(error, "%s: line %zu has %zu numbers, but the line before has %zu",
                      m->file.name, number, count, m->size);
  if (at + count > *room) {
    *room = 2 * (at + count);
    double *more = reallocarray(m->owned, *room, sizeof *more);
    if (!more) return cli_fail_memory(error);
    m->owned = more;
  }
  for (size_t i = 0; i < count; i++) {
    double *out = &m->owned[at + i];
    if (!csv_next_cell(&line, cell, sizeof cell) || !text_number(out, cell) || !isfinite(*out))
      return cli_misuse(error, "%s: line %zu, column %zu is not a finite number", m->file.name,
                        number, i + 1);
  }
  m->settings.vertex_count++;
  return SFM_OK;
}

/* One vertex per line; the first line may be a header. */
static sfm_status read_polytope(vector_options *m, const char *text, sfm_error *error) {
  size_t offset = 0, number = 0, room = 0;
  csv_line line;
  if (text[0] != '@' || !text[1])
    return cli_misuse(error,
                      "--sensitivity polytope needs a file of vertices; write polytope:@V.csv");
  sfm_status status = file_load(&m->file, text + 1, error);
  while (!status && csv_next_line(&m->file, &offset, &line))
    if (number++ > 0 || csv_has_number(line)) status = read_vertex(m, line, number, &room, error);
  if (!status && m->settings.vertex_count == 0)
    status = cli_misuse(error, "%s has no vertices: write one per line", m->file.name);
  m->settings.vertices = m->owned;
  return status;
}

/* The norm of that name, or -1. */
static int find_norm(const char *text, size_t length) {
  static const struct {
    const char *name;
    sfm_vector_norm norm;
  } norms[] = {
      {"l1", SFM_VECTOR_NORM_L1}, {"l2", SFM_VECTOR_NORM_L2}, {"linf", SFM_VECTOR_NORM_LINF}};
  for (size_t i = 0; i < sizeof norms / sizeof *norms; i++)
    if (strlen(norms[i].name) == length && strncmp(text, norms[i].name, length) == 0)
      return (int)norms[i].norm;
  return -1;
}

static sfm_status read_sensitivity(vector_options *m, const char *text, sfm_error *error) {
  sfm_vector_settings *s = &m->settings;
  const char *colon = text ? strchr(text, ':') : NULL;
  if (!text)
    return cli_misuse(
        error, "--sensitivity is missing: how much one record can change the vector, which only "
               "you can know; write l1:2, l2:1, linf:1, polytope:@V.csv or ellipsoid:@S.npy");
  size_t length = colon ? (size_t)(colon - text) : strlen(text);
  s->sensitivity = 1;
  if (colon && length == 9 && strncmp(text, "ellipsoid", 9) == 0) {
    s->norm = SFM_VECTOR_NORM_ELLIPSOID;
    return read_ellipsoid(m, colon + 1, error);
  }
  if (colon && length == 8 && strncmp(text, "polytope", 8) == 0) {
    s->norm = SFM_VECTOR_NORM_POLYTOPE;
    return read_polytope(m, colon + 1, error);
  }
  const int norm = colon ? find_norm(text, length) : -1;
  if (norm < 0)
    return cli_misuse(error,
                      "--sensitivity: '%s' does not start with a norm; write l1:2, l2:1, linf:1, "
                      "polytope:@V.csv or ellipsoid:@S.npy",
                      text);
  s->norm = (sfm_vector_norm)norm;
  if (!text_number(&s->sensitivity, colon + 1) || !isfinite(s->sensitivity) ||
      !(s->sensitivity > 0))
    return cli_misuse(
        error, "--sensitivity: '%s' is not a finite number above zero; write for example %.*s:1",
        colon + 1, (int)length, text);
  return SFM_OK;
}

#define AT(name, member) CLI_FIELD(name, sfm_vector_settings, member)
static const cli_field fields[] = {AT("epsilon", epsilon),
                                   AT("delta", delta),
                                   AT("noise", noise),
                                   AT("calibration", calibration),
                                   AT("neighbours", neighbours),
                                   AT("contributions", contributions),
                                   AT("band", context.confidence),
                                   AT("seed", context),
                                   AT("person", person),
                                   {0}};

sfm_status vector_options_read(vector_options *m, const cli_options *options, sfm_error *error) {
  sfm_vector_settings *s = &m->settings;
  *m = (vector_options){.settings = sfm_vector_settings_default()};
  sfm_status status = options_fill(s, fields, options, error);
  if (!status) status = read_sensitivity(m, options_get(options, "sensitivity"), error);
  if (status) return status;
  if (!options_has(options, "noise"))
    s->noise = s->delta > 0                      ? SFM_VECTOR_NOISE_NORMAL
               : s->norm >= SFM_VECTOR_NORM_LINF ? SFM_VECTOR_NOISE_KNORM
                                                 : SFM_VECTOR_NOISE_LAPLACE;
  if (s->noise == SFM_VECTOR_NOISE_NORMAL && !(s->delta > 0))
    return cli_misuse(
        error,
        "--noise normal needs a delta; write for example --delta 1e-6, or use --noise laplace");
  if (options_has(options, "calibration") && s->noise != SFM_VECTOR_NOISE_NORMAL)
    return cli_misuse(error, "--calibration is for --noise normal only");
  return SFM_OK;
}

sfm_status vector_options_check_length(const vector_options *m, size_t length, sfm_error *error) {
  if (!m->size || m->size == length) return SFM_OK;
  if (m->settings.norm == SFM_VECTOR_NORM_POLYTOPE)
    return cli_misuse(error, "the polytope's vertices have %zu numbers, but the vector has %zu",
                      m->size, length);
  return cli_misuse(error, "the ellipsoid is %zu x %zu, but the vector has %zu numbers", m->size,
                    m->size, length);
}

void vector_options_clear(vector_options *m) {
  free(m->owned);
  file_clear(&m->file);
  *m = (vector_options){0};
}
