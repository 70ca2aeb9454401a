/* test_release.c - the file: what is written is read back exactly, and what is malformed is refused
 * with a message, whatever it is. */
#include "density_fixture.h"

#include <jansson.h>
#include <unistd.h>

#include "releases/core/release_kind.h"
#include "releases/core/release_data.h"
#include "sfumato/vector.h"

enum { LATTICE, PLANE, GP, ADD_REMOVE, GRID, LIST, VECTOR, IDEALISED, KINDS };

static sfm_release *make_vector(bool gamma) {
  sfm_error error;
  sfm_release *release;
  const double theta[] = {1, -2.5, 1e9, 0};
  sfm_vector_settings settings = sfm_vector_settings_default();
  settings.sensitivity = 1;
  settings.epsilon = 0.5;
  settings.noise = gamma ? SFM_VECTOR_NOISE_GAMMA : SFM_VECTOR_NOISE_LAPLACE;
  settings.context.seeded = true;
  assert_ok(sfm_vector_release(&release, theta, 4, &settings, &error), &error);
  return release;
}

static sfm_release *make(int kind) {
  if (kind >= VECTOR) return make_vector(kind == IDEALISED);
  double rows[40];
  density_fixture t;
  density_fixture_rows(rows, 20, kind == PLANE ? 2 : 1, 0, 10, 20);
  const bool process = kind == GP || kind == GRID || kind == LIST;
  static const double places[] = {1, 9.5, 3};
  density_fixture_init(&t, kind == PLANE ? 2 : 1, 0, 10, 4, 1, process ? 1e-6 : 0);
  if (kind == ADD_REMOVE) density_fixture_neighbours(&t, SFM_NEIGHBOURS_ADD_REMOVE, 3);
  t.settings.method = process ? SFM_DENSITY_GP : SFM_DENSITY_LATTICE;
  if (kind == GRID || kind == LIST) t.settings.kernel = SFM_KERNEL_MATERN32;
  if (kind == GRID) t.settings.release_grid[0] = 4;
  if (kind == LIST) {
    t.settings.release_points = places;
    t.settings.release_count = 3;
  }
  t.settings.context.seeded = kind != LATTICE;
  sfm_release *release = density_fixture_release(&t, rows, 20);
  density_fixture_clear(&t);
  return release;
}

/* The file's text, to be freed; the same as the text in memory. */
static char *text_of(const sfm_release *release, size_t *length) {
  char path[] = "/tmp/sfumato_release.XXXXXX";
  sfm_error error;
  close(mkstemp(path));
  assert_ok(sfm_release_write(release, path, &error), &error);
  FILE *file = fopen(path, "rb");
  char *text = calloc(1 << 20, 1);
  *length = fread(text, 1, (1 << 20) - 1, file);
  fclose(file);
  unlink(path);
  char *printed;
  size_t count;
  assert_ok(sfm_release_text(release, &printed, &count, &error), &error);
  assert_int_equal(count, *length);
  assert_memory_equal(printed, text, count + 1);
  sfm_free(printed);
  return text;
}

static void same(const sfm_release *x, const sfm_release *y) {
  assert_int_equal(x->method, y->method);
  assert_true(x->kind == y->kind && x->hardened == y->hardened);
  assert_true(x->is_private == y->is_private && x->enforced == y->enforced);
  assert_int_equal(x->guarantee.kind, y->guarantee.kind);
  assert_true(x->guarantee.epsilon == y->guarantee.epsilon);
  assert_true(x->guarantee.delta == y->guarantee.delta && x->guarantee.mu == y->guarantee.mu);
  assert_int_equal(x->neighbours, y->neighbours);
  assert_int_equal(x->contributions, y->contributions);
  assert_true(!x->person == !y->person);
  if (x->person) assert_string_equal(x->person, y->person);
  assert_string_equal(x->sentence, y->sentence);
  assert_int_equal(x->law, y->law);
  assert_true(x->scale == y->scale && x->step == y->step && x->sensitivity == y->sensitivity);
  assert_true(x->has_rows == y->has_rows && x->rows == y->rows && x->outside == y->outside);
  assert_int_equal(x->dimension, y->dimension);
  for (size_t a = 0; a < x->dimension; a++) {
    assert_string_equal(x->columns[a], y->columns[a]);
    assert_true(x->lower[a] == y->lower[a] && x->upper[a] == y->upper[a]);
    assert_true(x->function->bandwidth[a] == y->function->bandwidth[a]);
    if (x->method == SFMI_LATTICE) {
      assert_memory_equal(&x->function->lattice.axis[a], &y->function->lattice.axis[a],
                          sizeof x->function->lattice.axis[a]);
      assert_int_equal(x->function->lattice.order, y->function->lattice.order);
      assert_int_equal(x->function->lattice.bits, y->function->lattice.bits);
    } else {
      assert_memory_equal(&x->function->torus[a], &y->function->torus[a],
                          sizeof x->function->torus[a]);
    }
  }
  assert_int_equal(x->length, y->length);
  if (x->hardened) assert_memory_equal(x->integers, y->integers, x->length * sizeof *x->integers);
  if (!x->hardened) assert_memory_equal(x->reals, y->reals, x->length * sizeof *x->reals);
  assert_true(x->band.confidence == y->band.confidence && x->band.half_width == y->band.half_width);
  assert_true(x->band.pointwise == y->band.pointwise && x->band.systematic == y->band.systematic);
}

static void what_is_written_is_read_back(void **state) {
  (void)state;
  sfm_error error;
  for (int kind = 0; kind < KINDS; kind++) {
    sfm_release *release = make(kind), *again;
    if (kind == GP) release->band.half_width = INFINITY;
    if (kind == PLANE) {
      const int64_t large[] = {
          INT64_MAX,         INT64_MIN, 9007199254740991, -9007199254740991, 9007199254740992,
          -9007199254740992, 0};
      memcpy(release->integers, large, sizeof large);
    }
    size_t length, second;
    char *text = text_of(release, &length);
    assert_ok(sfm_release_parse(&again, text, length, "memory", &error), &error);
    same(release, again);
    char *twice = text_of(again, &second);
    assert_int_equal(length, second);
    assert_memory_equal(text, twice, length);
    if (kind == PLANE) {
      assert_non_null(strstr(text, "\"9223372036854775807\", \"-9223372036854775808\", "
                                   "9007199254740991, -9007199254740991, \"9007199254740992\", "
                                   "\"-9007199254740992\", 0,"));
    }
    char *summary;
    assert_ok(sfm_release_summary(again, &summary, &error), &error);
    assert_null(strchr(summary, '\n'));
    sfm_free(summary);
    free(text);
    free(twice);
    sfm_release_destroy(release);
    sfm_release_destroy(again);
  }
}

static sfm_status parse(const char *text, size_t length) {
  sfm_error error = {0};
  sfm_release *release = NULL;
  sfm_status status = sfm_release_parse(&release, text, length, "the file", &error);
  if (status) {
    assert_null(release);
    assert_non_null(strstr(error.message, "the file"));
  }
  sfm_release_destroy(release);
  return status;
}

static sfm_status parse_json(const json_t *root) {
  char *text = json_dumps(root, JSON_REAL_PRECISION(17));
  sfm_status status = parse(text, strlen(text));
  free(text);
  return status;
}

static void a_file_cut_anywhere_is_refused(void **state) {
  (void)state;
  for (int kind = 0; kind < KINDS; kind++) {
    sfm_release *release = make(kind);
    size_t length;
    char *text = text_of(release, &length);
    /* Everywhere in the head; further on numbers follow numbers, and 7 meets every place in them.
     */
    for (size_t cut = 0; cut + 1 < length; cut += cut < 2500 ? 1 : 7) {
      char *part = malloc(cut ? cut : 1); /* its own block: reading past it would be seen */
      memcpy(part, text, cut);
      assert_int_equal(parse(part, cut), SFM_FORMAT);
      free(part);
    }
    assert_int_equal(parse(text, length - 1), SFM_OK);
    text[length - 1] = 'x';
    assert_int_equal(parse(text, length), SFM_FORMAT);
    free(text);
    sfm_release_destroy(release);
  }
}

/* Keys that may be missing, and keys that may be null. */
static bool optional(const char *key) {
  return !strcmp(key, "generator") || !strcmp(key, "range") || !strcmp(key, "rho") ||
         !strcmp(key, "mu") || !strcmp(key, "charged");
}

/* Every key at every depth: removed, and given a value of each other type; the root is restored. */
static void mangle(json_t *root, json_t *object, bool gdp) {
  const char *const wrong[] = {"null", "true", "\"x\"", "-1",          "-0.5", "1e300",
                               "[]",   "{}",   "[{}]",  "99999999999", "\"\""};
  json_t *keys = json_array();
  const char *key;
  json_t *value;
  json_object_foreach(object, key, value) json_array_append_new(keys, json_string(key));
  for (size_t i = 0; i < json_array_size(keys); i++) {
    key = json_string_value(json_array_get(keys, i));
    value = json_incref(json_object_get(object, key));
    bool skip = optional(key) && !(gdp && !strcmp(key, "mu"));
    skip = skip || (!strcmp(key, "step") && json_is_null(value)); /* idealised */
    /* Files from before there were engines. */
    skip = skip || (!strcmp(key, "engine") && !strcmp(json_string_value(value), "spectral"));
    json_object_del(object, key);
    /* Without "rows" the neighbours contradict it; without an optional key all is well. */
    if (parse_json(root) != (skip ? SFM_OK : SFM_FORMAT))
      fail_msg("without \"%s\" it was %s", key, skip ? "refused" : "accepted");
    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
      json_t *other = json_loads(wrong[w], JSON_DECODE_ANY, NULL);
      json_object_set_new(object, key, other);
      sfm_status status = parse_json(root);
      bool number = json_is_number(value);
      bool kind = json_typeof(other) != json_typeof(value) && !(number && json_is_number(other)) &&
                  !(json_is_boolean(value) && json_is_boolean(other));
      bool null_width =
          json_is_null(other) &&
          (!strcmp(key, "half_width") || !strcmp(key, "pointwise") || !strcmp(key, "systematic"));
      if (kind && !skip && !null_width && !status)
        fail_msg("\"%s\": %s was accepted", key, wrong[w]);
    }
    json_object_set_new(object, key, value);
    if (json_is_object(value)) mangle(root, value, gdp);
    for (size_t k = 0; json_is_array(value) && k < json_array_size(value) && k < 2; k++)
      if (json_is_object(json_array_get(value, k))) mangle(root, json_array_get(value, k), gdp);
  }
  json_decref(keys);
}

static void every_key_is_needed_and_typed(void **state) {
  (void)state;
  for (int kind = 0; kind < KINDS; kind++) {
    sfm_release *release = make(kind);
    size_t length;
    char *text = text_of(release, &length);
    json_t *root = json_loadb(text, length, 0, NULL);
    assert_int_equal(parse_json(root), SFM_OK);
    mangle(root, root, kind == GP || kind == GRID || kind == LIST);
    assert_int_equal(parse_json(root), SFM_OK);
    json_decref(root);
    free(text);
    sfm_release_destroy(release);
  }
}

/* One replacement in the text of a release of one column on [0, 10] with bandwidth 4. */
typedef struct edit {
  int kind;
  const char *from, *to;
} edit;

static char *edited(const char *text, const char *from, const char *to) {
  const char *at = strstr(text, from);
  if (!at) fail_msg("the file has no %s", from);
  char *out = malloc(strlen(text) + strlen(to) + 1);
  sprintf(out, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
  return out;
}

static void wrong_values_are_refused(void **state) {
  (void)state;
  const edit edits[] = {
      {LATTICE, "\"version\": 1", "\"version\": 2"},
      {LATTICE, "\"version\": 1", "\"version\": 0"},
      {LATTICE, "\"version\": 1", "\"version\": 1.0"},
      {LATTICE, "\"version\": 1,", "\"version\": 1, \"version\": 1,"},
      {LATTICE, "\"lower\": 0.0", "\"lower\": 0.0, \"lower\": 0.0"},
      {LATTICE, "\"format\": \"sfumato-release\"", "\"format\": \"sfumato\""},
      {LATTICE, "\"method\": \"lattice\"", "\"method\": \"gp\""},
      {LATTICE, "\"method\": \"lattice\"", "\"method\": \"laplace\""},
      {LATTICE, "\"kind\": \"density\"", "\"kind\": \"vector\""},
      {LATTICE, "\"hardened\": true", "\"hardened\": false"},
      {LATTICE, "\"kind\": \"pure\"", "\"kind\": \"gdp\""},
      {LATTICE, "\"kind\": \"pure\"", "\"kind\": \"purest\""},
      {LATTICE, "\"epsilon\": 1.0", "\"epsilon\": NaN"},
      {LATTICE, "\"epsilon\": 1.0", "\"epsilon\": Infinity"},
      {LATTICE, "\"epsilon\": 1.0", "\"epsilon\": 1e999"},
      {LATTICE, "\"epsilon\": 1.0", "\"epsilon\": -1"},
      {LATTICE, "\"delta\": 0.0", "\"delta\": 1.5"},
      {LATTICE, "\"contributions\": 1", "\"contributions\": 0"},
      {LATTICE, "\"contributions\": 1", "\"contributions\": 1000001"},
      {LATTICE, "\"neighbours\": \"replace\"", "\"neighbours\": \"add-remove\""},
      {LATTICE, "\"rows\": 20", "\"rows\": 0"},
      {LATTICE, "\"rows\": 20", "\"rows\": 20.5"},
      {LATTICE, "\"rows\": 20", "\"rows\": 9223372036854775808"},
      {ADD_REMOVE, "\"outside\"", "\"rows\": 20, \"outside\""},
      {LATTICE, "\"upper\": 10.0", "\"upper\": 0"},
      {LATTICE, "\"upper\": 10.0", "\"upper\": -1"},
      {LATTICE, "\"upper\": 10.0", "\"upper\": 1e-320"},
      {LATTICE, "\"upper\": 10.0", "\"upper\": 1e308"},
      {LATTICE, "\"lower\": 0.0", "\"lower\": 9.9999999999999982"},
      {LATTICE, "  4.0", "  0"},
      {LATTICE, "  4.0", "  -4"},
      {LATTICE, "  4.0", "  1e-12"},
      {LATTICE, "  4.0", "  1e12"},
      {LATTICE, "  4.0", "  4.0, 4.0"},
      {LATTICE, "\"order\": ", "\"order\": 1"},
      {LATTICE, "\"bits\": 24", "\"bits\": 23"},
      {LATTICE, "\"bits\": 24", "\"bits\": 41"},
      {LATTICE, "\"cells\": [\n", "\"cells\": [\n0,"},
      {LATTICE, "\"cells\": [\n", "\"cells\": [\n1"},
      {LATTICE, "\"length\": ", "\"length\": 1"},
      {LATTICE, "\"coefficients\": [", "\"coefficients\": [0,"},
      {LATTICE, "\"coefficients\": [", "\"coefficients\": [0.5,"},
      {LATTICE, "\"coefficients\": [", "\"coefficients\": [9223372036854775808,"},
      {LATTICE, "\"coefficients\": [", "\"coefficients\": [\"9223372036854775808\","},
      {LATTICE, "\"coefficients\": [", "\"coefficients\": [\"1x\","},
      {LATTICE, "\"confidence\": 0.9", "\"confidence\": 1.9"},
      {LATTICE, "\"step\": 5.9", "\"step\": 6.9"},
      {LATTICE, "\"step\": 5.9", "\"step\": -5.9"},
      {LATTICE, "\"scale\": ", "\"scale\": -"},
      {GP, "\"terms\": [\n", "\"terms\": [\n1"},
      {GP, "  4.0", "  1e-7"},
      {GP, "  4.0", "  2.0"},
      {VECTOR, "\"hardened\": true", "\"hardened\": false"},
      {VECTOR, "\"method\": \"laplace\"", "\"method\": \"gamma\""},
      {IDEALISED, "\"hardened\": false", "\"hardened\": true"},
      {IDEALISED, "\"coefficients\": [\n  ", "\"coefficients\": [\n  \"1\", "},
  };
  char *texts[KINDS];
  for (int kind = 0; kind < KINDS; kind++) {
    size_t length;
    sfm_release *release = make(kind);
    texts[kind] = text_of(release, &length);
    sfm_release_destroy(release);
  }
  for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
    char *text = edited(texts[edits[i].kind], edits[i].from, edits[i].to);
    if (parse(text, strlen(text)) != SFM_FORMAT)
      fail_msg("%s in place of %s was accepted", edits[i].to, edits[i].from);
    free(text);
  }
  for (int kind = 0; kind < KINDS; kind++) free(texts[kind]);
}

/* Texts hold what they hold: a list of found ones may be full of commas, quotes and backslashes. */
static void commas_within_texts_are_no_values(void **state) {
  (void)state;
  sfm_release *release = make(LATTICE);
  size_t length;
  char *text = text_of(release, &length);
  const size_t many = 20000000;
  char *noted = malloc(many + length + 64);
  size_t used = (size_t)sprintf(noted, "{\"note\": \"\\\\\\\",");
  memset(noted + used, ',', many);
  used += many;
  used += (size_t)sprintf(noted + used, "\\\"\", %s", text + 1);
  assert_int_equal(parse(noted, used), SFM_OK);
  free(noted);
  free(text);
  sfm_release_destroy(release);
}

/* Small files that ask for much: refused before anything is allocated by them. */
static void huge_sizes_are_refused(void **state) {
  (void)state;
  sfm_release *release = make(LATTICE);
  size_t length;
  char *text = text_of(release, &length);
  const char *const sizes[] = {"16777216", "16777217", "2147483648", "9223372036854775807"};
  for (size_t i = 0; i < 4; i++) {
    char cells[64];
    snprintf(cells, sizeof cells, "\"cells\": [%s], \"old\": [\n", sizes[i]);
    char *large = edited(text, "\"cells\": [\n", cells);
    assert_int_equal(parse(large, strlen(large)), SFM_FORMAT);
    free(large);
  }
  /* A million values that are no release. */
  size_t many = 1000000;
  char *commas = malloc(2 * many + 64);
  size_t used = (size_t)sprintf(commas, "{\"coefficients\":[0");
  for (size_t i = 0; i < many; i++, used += 2) memcpy(commas + used, ",0", 2);
  used += (size_t)sprintf(commas + used, "]}");
  assert_int_equal(parse(commas, used), SFM_FORMAT);
  free(commas);
  /* Depth. */
  char *deep = malloc(200000);
  memset(deep, '[', 200000);
  assert_int_equal(parse(deep, 200000), SFM_FORMAT);
  free(deep);
  free(text);
  sfm_release_destroy(release);
}

static void bytes_that_are_no_release_are_refused(void **state) {
  (void)state;
  const char *const texts[] = {"",
                               "{}",
                               "[]",
                               "null",
                               "1",
                               "\"format\"",
                               "\xff",
                               "{\"format\": \"sfumato-release\"}",
                               "{\"a\\u0000\": 1}"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    assert_int_equal(parse(texts[i], strlen(texts[i])), SFM_FORMAT);
  sfm_error error;
  sfm_release *release = (sfm_release *)&error;
  assert_int_equal(sfm_release_read(&release, "/no/such.sfm", &error), SFM_INVALID);
  assert_null(release);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_written_is_read_back),
      cmocka_unit_test(a_file_cut_anywhere_is_refused),
      cmocka_unit_test(every_key_is_needed_and_typed),
      cmocka_unit_test(wrong_values_are_refused),
      cmocka_unit_test(commas_within_texts_are_no_values),
      cmocka_unit_test(huge_sizes_are_refused),
      cmocka_unit_test(bytes_that_are_no_release_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
