/* release_read.c - a .sfm file back into memory.  Any bytes are survived: every value is checked
 * for type and range before it is used, sizes before anything is allocated by them, and a message
 * names the place. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/file.h"
#include "base/text/json.h"
#include "base/text/json_error.h"
#include "function_read.h"
#include "release_format.h"
#include "release_data.h"
#include "release_kind.h"
#include "release_check.h"
#include "release_sentence.h"

static const size_t FILE_MAX = (size_t)1 << 30;

static sfm_status read_guarantee(const sfmi_parse_context *at, sfm_release *release,
                                 const json_t *root) {
  const json_t *object = json_object_get(root, "guarantee");
  if (!json_is_object(object)) return sfmi_parse_wrong(at, "guarantee", "an object");
  sfm_guarantee *g = &release->guarantee;
  unsigned word;
  uint64_t count = 0;
  sfm_status status = sfmi_parse_value(at, &word, object, "kind", SFM_WORDS_GUARANTEE_KIND);
  if (status) return status;
  g->kind = (sfm_guarantee_kind)word;
  status = sfmi_parse_number(at, &g->epsilon, object, "epsilon");
  if (!status) status = sfmi_parse_number(at, &g->delta, object, "delta");
  if (status) return status;
  if (g->kind == SFM_GDP) {
    status = sfmi_parse_number(at, &g->mu, object, "mu");
    if (status) return status;
  }
  if (g->kind == SFM_ZCDP) {
    status = sfmi_parse_number(at, &g->rho, object, "rho");
    if (status) return status;
  }
  if (g->kind == SFM_RANDOM_DP) {
    status = sfmi_parse_number(at, &g->gamma, object, "gamma");
    if (status) return status;
  }
  if (g->gamma < 0 || g->gamma > 1)
    return sfmi_parse_wrong(at, "gamma", "a probability, from 0 to 1");
  if (g->epsilon < 0 || g->delta < 0 || g->delta > 1 || g->mu < 0 || g->rho < 0)
    return sfmi_parse_wrong(at, "guarantee", "made of numbers >= 0, delta at most 1");
  status = sfmi_parse_value(at, &word, object, "neighbours", SFM_WORDS_NEIGHBOURS);
  if (status) return status;
  release->neighbours = (sfm_neighbours)word;
  status = sfmi_parse_count(at, &count, object, "contributions", 1000000);
  if (status) return status;
  if (count == 0) return sfmi_parse_wrong(at, "contributions", "at least 1");
  release->contributions = (uint32_t)count;
  status = sfmi_parse_bool(at, &release->enforced, object, "contributions_enforced");
  if (status) return status;
  if (json_object_get(object, "person")) {
    status = sfmi_parse_text(at, &release->person, object, "person");
    if (status) return status;
    if (!*release->person) return sfmi_parse_wrong(at, "person", "the name of a column");
  }
  const json_t *ids = json_object_get(object, "person_ids");
  release->person_numbers = ids != NULL;
  if (ids && (!release->person || !release->enforced || !json_is_string(ids) ||
              strcmp(json_string_value(ids), "number") != 0))
    return sfmi_parse_wrong(at, "person_ids", "\"number\", beside a person that is enforced");
  /* For people who open the file; here it is made of the numbers, which may say something else. */
  return json_is_string(json_object_get(object, "sentence"))
             ? SFM_OK
             : sfmi_parse_wrong(at, "sentence", "a string");
}

/* Absent in files written before there were ledgers; all of it null where nothing was charged. */
static sfm_status read_charged(const sfmi_parse_context *at, sfm_release *release,
                               const json_t *root) {
  const json_t *object = json_object_get(root, "charged");
  unsigned word;
  if (!object) return SFM_OK;
  if (!json_is_object(object)) return sfmi_parse_wrong(at, "charged", "an object");
  if (!json_is_string(json_object_get(object, "sentence")))
    return sfmi_parse_wrong(at, "sentence", "a string");
  if (json_is_null(json_object_get(object, "dataset"))) {
    const bool nowhere = json_is_null(json_object_get(object, "request")) &&
                         json_is_null(json_object_get(object, "accounting"));
    return nowhere ? SFM_OK
                   : sfmi_parse_wrong(at, "charged", "null in all of its parts, or in none");
  }
  sfm_status status = sfmi_parse_text(at, &release->dataset, object, "dataset");
  if (!status) status = sfmi_parse_text(at, &release->request, object, "request");
  if (!status) status = sfmi_parse_value(at, &word, object, "accounting", SFM_WORDS_ACCOUNTING);
  if (status) return status;
  release->accounting = (sfm_accounting)word;
  return SFM_OK;
}

static sfm_status read_noise(const sfmi_parse_context *at, sfm_release *release,
                             const sfmi_release_kind *release_kind, const json_t *root) {
  const json_t *object = json_object_get(root, "noise");
  if (!json_is_object(object)) return sfmi_parse_wrong(at, "noise", "an object");
  unsigned law = 0;
  sfm_status status = sfmi_parse_value(at, &law, object, "law", SFM_WORDS_NOISE_LAW);
  if (status) return status;
  release->law = (sfm_noise_law)law;
  const bool told = !(release_kind && release_kind->scaleless);
  status = told ? sfmi_parse_number(at, &release->scale, object, "scale")
                : sfmi_parse_width(at, &release->scale, object, "scale");
  if (!status) status = sfmi_parse_number(at, &release->sensitivity, object, "sensitivity");
  if (status) return status;
  if (json_object_get(object, "summed")) {
    status = sfmi_parse_count(at, &release->summed, object, "summed", (uint64_t)1 << 53);
    if (status) return status;
    if (release->summed == 0) return sfmi_parse_wrong(at, "summed", "at least 1");
  }
  if (json_object_get(object, "factor")) {
    status = sfmi_parse_number(at, &release->factor, object, "factor");
    if (status) return status;
    if (!(release->factor > 0)) return sfmi_parse_wrong(at, "factor", "a positive number");
  }
  if (json_object_get(object, "range")) {
    status = sfmi_parse_number(at, &release->range, object, "range");
    if (status) return status;
    if (!(release->range > 0)) return sfmi_parse_wrong(at, "range", "a positive number");
  }
  if (release->scale < 0 || release->sensitivity < 0)
    return sfmi_parse_wrong(at, "noise", "made of numbers >= 0");
  if (!release->hardened) return SFM_OK;
  status = sfmi_parse_number(at, &release->step, object, "step");
  if (status) return status;
  int exponent;
  if (release->step < 0x1p-900 || release->step > 0x1p900 || frexp(release->step, &exponent) != 0.5)
    return sfmi_parse_wrong(at, "step", "a power of two");
  return SFM_OK;
}

static sfm_status read_band(const sfmi_parse_context *at, sfm_release *release,
                            const sfmi_release_kind *release_kind, const json_t *root) {
  const json_t *object = json_object_get(root, "band");
  if (release->refined.done || (release_kind && release_kind->bandless)) {
    release->band = (sfm_band){NAN, NAN, NAN, NAN};
    return json_is_null(object)
               ? SFM_OK
               : sfmi_parse_wrong(at, "band", "null for a refined release and for this kind");
  }
  if (!json_is_object(object)) return sfmi_parse_wrong(at, "band", "an object");
  sfm_status status = sfmi_parse_number(at, &release->band.confidence, object, "confidence");
  if (status) return status;
  if (!(release->band.confidence > 0 && release->band.confidence < 1))
    return sfmi_parse_wrong(at, "confidence", "between 0 and 1");
  status = sfmi_parse_width(at, &release->band.half_width, object, "half_width");
  if (!status) status = sfmi_parse_width(at, &release->band.pointwise, object, "pointwise");
  if (status) return status;
  return sfmi_parse_width(at, &release->band.systematic, object, "systematic");
}

/* Absent in files of 0.1. */
static sfm_status read_combined(const sfmi_parse_context *at, sfmi_refinement *r,
                                const json_t *object) {
  if (!json_object_get(object, "parts")) return SFM_OK;
  sfm_status status = sfmi_parse_count(at, &r->parts, object, "parts", (uint64_t)1 << 53);
  if (status) return status;
  if (r->parts < 2) return sfmi_parse_wrong(at, "parts", "the number of releases, at least 2");
  status = sfmi_parse_bool(at, &r->disjoint, object, "disjoint");
  if (status) return status;
  return sfmi_parse_bool(at, &r->parts_disjoint, object, "parts_disjoint");
}

/* Absent where nothing was refined. */
static sfm_status read_refined(const sfmi_parse_context *at, sfm_release *release,
                               const json_t *root) {
  const json_t *object = json_object_get(root, "refined");
  sfmi_refinement *r = &release->refined;
  if (!object) return SFM_OK;
  if (!json_is_object(object) || !release->density)
    return sfmi_parse_wrong(at, "refined", "an object, of a density");
  sfm_status status = sfmi_parse_bool(at, &r->shrunk, object, "shrink");
  if (!status) status = sfmi_parse_bool(at, &r->nonnegative, object, "nonnegative");
  if (!status) status = sfmi_parse_bool(at, &r->normalised, object, "normalise");
  if (!status) status = sfmi_parse_bool(at, &r->combined, object, "combine");
  if (status) return status;
  r->done = true;
  return r->combined ? read_combined(at, r, object) : SFM_OK;
}

/* Quantiles of a column. */
static sfm_status read_range(const sfmi_parse_context *at, sfm_release *release,
                             const json_t *root) {
  sfm_status status;
  const json_t *column = json_array_get(json_object_get(root, "domain"), 0);
  unsigned word = 0;
  size_t count = 0;
  release->has_rows = json_object_get(root, "rows") != NULL;
  if (release->has_rows) {
    status = sfmi_parse_count(at, &release->rows, root, "rows", INT64_MAX);
    if (status) return status;
  }
  if (release->has_rows != (release->neighbours == SFM_REPLACE))
    return sfmi_parse_wrong(at, "rows", "stated under replace, and only there");
  if (json_array_size(json_object_get(root, "domain")) != 1 || !json_is_object(column))
    return sfmi_parse_wrong(at, "domain", "an array of one column");
  release->dimension = 1;
  status = sfmi_parse_text(at, &release->columns[0], column, "column");
  if (!status) status = sfmi_parse_number(at, &release->lower[0], column, "lower");
  if (!status) status = sfmi_parse_number(at, &release->upper[0], column, "upper");
  if (!status) status = sfmi_parse_value(at, &word, root, "outside", SFM_WORDS_OUTSIDE);
  if (status) return status;
  release->outside = (sfm_outside)word;
  status = sfmi_parse_numbers(at, &release->quantiles, &count, root, "quantiles", release->length);
  if (status) return status;
  return count == release->length ? SFM_OK
                                  : sfmi_parse_wrong(at, "quantiles", "one per coefficient");
}

static sfm_status read_coefficients(const sfmi_parse_context *at, sfm_release *release,
                                    const json_t *root) {
  const json_t *array = json_object_get(root, "coefficients");
  uint64_t stated = 0;
  sfm_status status = sfmi_parse_count(at, &stated, root, "length", SFMI_RELEASE_MAX);
  if (status) return status;
  release->length = json_array_size(array);
  if (release->length != stated)
    return sfmi_parse_wrong(at, "coefficients", "an array of as many numbers as \"length\" says");
  const sfmi_release_kind *release_kind = sfmi_release_kind_of(release->method);
  const bool empty = release_kind && release_kind->empty && json_is_array(array);
  if ((release->length == 0 && !empty) || release->length > SFMI_RELEASE_MAX)
    return sfmi_parse_wrong(at, "coefficients", "an array of 1 to 16777216 numbers");
  const bool integers =
      release->hardened && !release->refined.done && !sfmi_method_fitted(release->method);
  if (integers) {
    release->integers = sfmi_alloc(release->length, sizeof *release->integers);
  } else {
    release->reals = sfmi_alloc(release->length, sizeof *release->reals);
  }
  if (!release->integers && !release->reals) return sfmi_fail_memory(at->error);
  for (size_t i = 0; i < release->length; i++) {
    const json_t *value = json_array_get(array, i);
    bool good = integers ? sfmi_parse_integer(value, &release->integers[i])
                         : json_is_number(value) && isfinite(json_number_value(value));
    if (!good)
      return sfmi_fail(at->error, SFM_FORMAT, "%s: coefficients[%zu] is not %s", at->name, i,
                       integers ? "a 64-bit integer" : "a finite number");
    if (!integers) release->reals[i] = json_number_value(value);
  }
  return SFM_OK;
}

/* What the numbers of a vector are; absent where nobody said. */
static sfm_status read_texts(const sfmi_parse_context *at, sfm_release *release,
                             const json_t *root) {
  const json_t *array = json_object_get(root, "labels");
  if (!array) return SFM_OK;
  if (!json_is_array(array) || json_array_size(array) != release->length)
    return sfmi_parse_wrong(at, "labels", "an array of as many strings as there are coefficients");
  release->labels = sfmi_alloc(release->length, sizeof *release->labels);
  if (!release->labels) return sfmi_fail_memory(at->error);
  for (size_t i = 0; i < release->length; i++) {
    const char *text = json_string_value(json_array_get(array, i));
    if (!text) return sfmi_parse_wrong(at, "labels", "an array of strings");
    release->labels[i] = sfmi_copy_string(text);
    if (!release->labels[i]) return sfmi_fail_memory(at->error);
  }
  return SFM_OK;
}

/* Whether a kind may have a method: bits of kinds, by method. */
static bool fits(unsigned kind, unsigned method) {
  enum { VECTOR = 1, DENSITY = 2, FUNCTION = 4, RANGE = 8 };
  static const unsigned kinds[] = {[SFMI_LATTICE] = DENSITY,      [SFMI_GP] = DENSITY | FUNCTION,
                                   [SFMI_SOBOLEV] = DENSITY,      [SFMI_SERIES] = DENSITY,
                                   [SFMI_CURVE] = FUNCTION,       [SFMI_FOURIER_LAPLACE] = DENSITY,
                                   [SFMI_CARATHEODORY] = DENSITY, [SFMI_LAPLACE] = VECTOR,
                                   [SFMI_NORMAL] = VECTOR,        [SFMI_GAMMA] = VECTOR,
                                   [SFMI_EXPONENTIAL] = RANGE,    [SFMI_KNORM] = VECTOR};
  return kinds[method] >> kind & 1;
}

/* Which methods are always hardened, or never; the law of a series says it. */
static bool hardens(const sfm_release *release) {
  if (release->method == SFMI_KNORM)
    return release->hardened == (release->law == SFM_LAW_DISCRETE_LINF);
  const bool never = release->method == SFMI_GAMMA || release->method == SFMI_CARATHEODORY ||
                     release->law == SFM_LAW_GAMMA;
  const bool always = release->method == SFMI_LATTICE || release->method == SFMI_LAPLACE ||
                      release->method == SFMI_FOURIER_LAPLACE || release->method == SFMI_CURVE ||
                      release->method == SFMI_EXPONENTIAL ||
                      (release->method == SFMI_SERIES && !never);
  return release->hardened ? !never : !always;
}

/* Functions, vectors and ranges. */
static sfm_status read_method(const sfmi_parse_context *at, sfm_release *release,
                              const json_t *root) {
  static const char *const kinds[] = {"vector", "density", "function", "range"};
  static const char *const methods[] = {
      "lattice",      "gp",      "sobolev", "series", "curve",       "fourier-laplace",
      "caratheodory", "laplace", "normal",  "gamma",  "exponential", "k-norm"};
  unsigned kind, method;
  sfm_status status = sfmi_parse_word(at, &kind, root, "kind", kinds, 4);
  if (!status) status = sfmi_parse_word(at, &method, root, "method", methods, 12);
  if (status) return status;
  release->density = kind == 1;
  release->function = kind == 1 || kind == 2;
  release->method = (sfmi_method)method;
  if (!fits(kind, method))
    return sfmi_parse_wrong(
        at, "method",
        "lattice, gp, sobolev, series, fourier-laplace or caratheodory for a density, gp "
        "or curve for a function, laplace, normal, gamma or k-norm for a vector, exponential for "
        "a range");
  return SFM_OK;
}

/* Kind and method; *release_kind is NULL for functions, vectors and ranges. */
static sfm_status read_kind(const sfmi_parse_context *at, sfm_release *release,
                            const sfmi_release_kind **release_kind, const json_t *root) {
  const char *kind = json_string_value(json_object_get(root, "kind")),
             *word = json_string_value(json_object_get(root, "method"));
  *release_kind = kind && word ? sfmi_release_kind_named(&release->method, kind, word) : NULL;
  if (!*release_kind) return read_method(at, release, root);
  return release->method == SFMI_NO_METHOD
             ? sfmi_parse_wrong(at, "method", "one that the kind has (docs/format.md)")
             : SFM_OK;
}

static sfm_status read_format(const sfmi_parse_context *at, const json_t *root) {
  const char *format = json_string_value(json_object_get(root, "format"));
  uint64_t version = 0;
  if (!format || strcmp(format, SFMI_FORMAT_NAME))
    return sfmi_fail(at->error, SFM_FORMAT, "%s is not a release: \"format\" is not \"%s\"",
                     at->name, SFMI_FORMAT_NAME);
  sfm_status status = sfmi_parse_count(at, &version, root, "version", UINT32_MAX);
  if (status) return status;
  if (version != SFMI_FORMAT_VERSION)
    return sfmi_fail(at->error, SFM_FORMAT,
                     "%s has format version %u; this sfumato (%s) reads version %d", at->name,
                     (unsigned)version, sfm_version(), SFMI_FORMAT_VERSION);
  return SFM_OK;
}

static sfm_status read_release(const sfmi_parse_context *at, sfm_release *release,
                               const json_t *root) {
  const sfmi_release_kind *release_kind = NULL;
  sfm_status status = read_format(at, root);
  if (!status) status = read_kind(at, release, &release_kind, root);
  if (!status) status = sfmi_parse_bool(at, &release->hardened, root, "hardened");
  if (!status) status = sfmi_parse_bool(at, &release->is_private, root, "private");
  if (!status) status = read_guarantee(at, release, root);
  if (!status) status = read_charged(at, release, root);
  if (!status) status = read_noise(at, release, release_kind, root);
  if (status) return status;
  if (release_kind)
    release->refined.done = json_object_get(root, "refined") != NULL;
  else
    status = read_refined(at, release, root);
  if (status) return status;
  if (!release_kind && !release->refined.done && !hardens(release))
    return sfmi_parse_wrong(
        at, "hardened",
        "true for lattice, laplace, series, curve, fourier-laplace and exponential, false "
        "for gamma and caratheodory");
  status = read_coefficients(at, release, root);
  if (!status) status = read_band(at, release, release_kind, root);
  if (status) return status;
  if (release->function) {
    status = sfmi_release_read_function(at, release, root);
    if (status) return status;
  }
  if (release->method == SFMI_EXPONENTIAL) {
    status = read_range(at, release, root);
    if (status) return status;
  }
  if (release_kind) {
    status = release_kind->read(at, release, root);
    if (status) return status;
  }
  if (!release->function && !release_kind && release->method != SFMI_EXPONENTIAL) {
    status = read_texts(at, release, root);
    if (status) return status;
  }
  status = sfmi_release_check(release, at->name, at->error);
  if (status) return status;
  return sfmi_release_write_sentence(release) ? SFM_OK : sfmi_fail_memory(at->error);
}

/* The facts of a session are in its file as text. */
static sfm_status fail_database(const char *bytes, size_t length, const char *name,
                                sfm_error *error) {
  static const char method[] = "\"interactive\"";
  if (memmem(bytes, length, method, strlen(method)))
    return sfmi_fail(
        error, SFM_FORMAT,
        "%s is not a release but an interactive session: ask it with `sfumato interact ask`, or "
        "close it with `sfumato interact close`, which writes a release",
        name);
  return sfmi_fail(error, SFM_FORMAT,
                   "%s is not a release but a database: ask a session with `sfumato online ask`, "
                   "or close it with `sfumato online close`, which writes a release; look at a "
                   "ledger with `sfumato ledger status`",
                   name);
}

/* Before it is parsed: its values take many times its bytes. */
static sfm_status check_size(const sfm_resource_limits *limits, const char *json, size_t length,
                             const char *name, sfm_error *error) {
  const double needed = sfmi_resources_reading(json, length).bytes,
               most = sfmi_resources_to_read(limits, length).bytes;
  if (needed <= most) return SFM_OK;
  return sfmi_fail(error, SFM_INVALID,
                   "%s: reading it may take %.0f MB of memory, and the limit for a file of its "
                   "size is %.0f MB. If you know where the file comes from, add --allow-large "
                   "(where the verb has it)",
                   name, ceil(needed / 1e6), most / 1e6);
}

sfm_status sfm_release_parse_within(sfm_release **out, const char *json, size_t length,
                                    const char *name, const sfm_resource_limits *limits,
                                    sfm_error *error) {
  *out = NULL;
  json_error_t reason;
  const sfmi_parse_context at = {name, error};
  if (length >= 15 && memcmp(json, "SQLite format 3", 15) == 0)
    return fail_database(json, length, name, error);
  if (!sfmi_json_begins_object(json, length))
    return sfmi_fail(error, SFM_FORMAT, "%s is not a release: it does not begin with {", name);
  sfm_status status = check_size(limits, json, length, name, error);
  if (status) return status;
  json_t *root = sfmi_json_loadb(json, length, JSON_REJECT_DUPLICATES, &reason);
  if (!root)
    return sfmi_fail(error, SFM_FORMAT, "%s is not a release: line %d, column %d: %s", name,
                     reason.line, reason.column, sfmi_json_error_reason(&reason));
  sfm_release *release = sfmi_release_create();
  if (release) release->most = sfmi_resources_to_work(limits, length);
  status = !json_is_object(root)
               ? sfmi_fail(error, SFM_FORMAT, "%s is not a release: not an object", name)
           : release ? read_release(&at, release, root)
                     : sfmi_fail_memory(error);
  json_decref(root);
  if (status) {
    sfm_release_destroy(release);
  } else {
    *out = release;
  }
  return status;
}

sfm_status sfm_release_parse(sfm_release **out, const char *json, size_t length, const char *name,
                             sfm_error *error) {
  const sfm_resource_limits limits = sfm_resource_limits_default();
  return sfm_release_parse_within(out, json, length, name, &limits, error);
}

sfm_status sfm_release_read_within(sfm_release **out, const char *path,
                                   const sfm_resource_limits *limits, sfm_error *error) {
  *out = NULL;
  char *bytes;
  size_t length;
  sfm_status status = sfmi_file_read(&bytes, &length, path, FILE_MAX, error);
  if (!status)
    status = sfm_release_parse_within(out, bytes, length,
                                      strcmp(path, "-") ? path : "standard input", limits, error);
  free(bytes);
  return status;
}

sfm_status sfm_release_read(sfm_release **out, const char *path, sfm_error *error) {
  const sfm_resource_limits limits = sfm_resource_limits_default();
  return sfm_release_read_within(out, path, &limits, error);
}
