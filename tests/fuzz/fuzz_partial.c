/* fuzz_partial.c - any bytes as a partial: refused with a message, or a partial that is written as
 * the same bytes, has sums that add up, and leads to a release or a refusal before it is charged.
 *
 *   first byte          128: a release; 64: the rest are the bytes themselves; else fields of a
 *                       partial, around which the mark, the version and the hash are put
 *   32, two bytes       fields of two partials: the length of the first (little endian), and both
 *   128, its low bits   which mechanism; the rest are sums, put into a whole partial of it */
#include <sodium.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "data/partial/partial.h"
#include "data/rows/rows.h"
#include "promise.h"
#include "releases/core/release_write.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

/* Of the sanitizers and of libFuzzer: absent in other builds. */
int __sanitizer_install_malloc_and_free_hooks(void (*allocated)(const volatile void *, size_t),
                                              void (*freed)(const volatile void *))
    __attribute__((weak));
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most) __attribute__((weak));

enum { RELEASE = 128, RAW = 64, TWO = 32, HASH = 32 };

/* Reading allocates at most so many bytes per byte: 32 for sums (sums.h), and for settings, which
 * are kept as text, what JSON takes while it is checked. */
enum { MEMORY_PER_BYTE = 32 + 256, MEMORY_ANYHOW = 1 << 16 };

static size_t allocated;

static void note_allocated(const volatile void *memory, size_t size) {
  (void)memory;
  allocated += size;
}

static void note_freed(const volatile void *memory) {
  (void)memory;
}

typedef struct text {
  uint8_t *at;
  size_t size;
} text;

/* The mark and the version, the fields, and their hash. */
static text frame(const uint8_t *fields, size_t size) {
  static const char head[24] = "sfumato partial\0\1";
  text all = {malloc(sizeof head + size + HASH), sizeof head + size + HASH};
  PROMISE(all.at);
  memcpy(all.at, head, sizeof head);
  if (size) memcpy(all.at + sizeof head, fields, size);
  crypto_generichash(all.at + sizeof head + size, HASH, all.at, sizeof head + size, NULL, 0);
  return all;
}

static text bytes_of(const sfm_partial *partial) {
  void *bytes;
  text all;
  PROMISE(!sfm_partial_to_bytes(partial, &bytes, &all.size, NULL));
  all.at = bytes;
  return all;
}

static void clear_text(text *t) {
  sfm_partial_free_bytes(t->at, t->size);
}

/* It is written as these bytes. */
static void check_bytes(const sfm_partial *partial, const text *wanted) {
  text given = bytes_of(partial);
  PROMISE(given.size == wanted->size && memcmp(given.at, wanted->at, given.size) == 0);
  clear_text(&given);
}

static void check_rows(const sfm_partial *partial) {
  sfm_error error = {0};
  sfm_rows *rows;
  const sfmi_batch *batch;
  uint64_t count;
  PROMISE(!sfm_rows_from_partial(&rows, partial, &error));
  PROMISE(!sfm_rows_count(rows, &count, &error) && count == sfm_partial_rows(partial));
  PROMISE(sfm_rows_column_count(rows) == 0 && !sfm_rows_column_name(rows, 0));
  PROMISE(sfmi_rows_next(rows, &batch, &error) && !batch && error.message[0]);
  sfm_rows_destroy(rows);
}

static void check_facts(const sfm_partial *partial) {
  uint64_t of;
  const uint64_t parts = sfm_partial_parts(partial, &of), missing = sfm_partial_missing(partial);
  PROMISE(parts > 0 && parts <= of && missing <= of && (parts == of) == (missing == 0));
  PROMISE(sfm_partial_mechanism(partial) && sfm_partial_settings(partial));
  for (size_t i = 0; missing && i < partial->range_count; i++)
    PROMISE(missing < partial->ranges[i].first || missing > partial->ranges[i].last);
}

/* The partial in these bytes, or NULL, and then a message. */
static sfm_partial *read_bytes(const text *bytes) {
  sfm_partial *partial;
  sfm_error error = {0};
  allocated = 0;
  const sfm_status status = sfm_partial_from_bytes(&partial, bytes->at, bytes->size, &error);
  PROMISE(allocated <= MEMORY_PER_BYTE * bytes->size + MEMORY_ANYHOW);
  if (!status) return partial;
  PROMISE(!partial && status == SFM_FORMAT && error.message[0]);
  return NULL;
}

static sfm_partial *read_fields(const uint8_t *fields, size_t size) {
  text bytes = frame(fields, size);
  sfm_partial *partial = read_bytes(&bytes);
  if (partial) check_bytes(partial, &bytes);
  free(bytes.at);
  return partial;
}

static sfm_partial *copy_of(const sfm_partial *partial) {
  text bytes = bytes_of(partial);
  sfm_partial *copy = read_bytes(&bytes);
  PROMISE(copy);
  clear_text(&bytes);
  return copy;
}

/* ---- merging ---- */

static size_t begin_of(const sfmi_sums *sums, size_t i) {
  return i && sums->form == SFMI_SUMS_TEXTS ? (size_t)sums->keys[i - 1] : 0;
}

static bool same_entry(const sfmi_sums *a, size_t i, const sfmi_sums *b, size_t j) {
  if (a->form == SFMI_SUMS_COUNTS) return i == j;
  if (a->form == SFMI_SUMS_CELLS) return a->keys[i] == b->keys[j];
  const size_t p = begin_of(a, i), q = begin_of(b, j), length = (size_t)a->keys[i] - p;
  return length == (size_t)b->keys[j] - q && memcmp(a->bytes + p, b->bytes + q, length) == 0;
}

/* How often entry i of one stands in the other, by looking at all of them. */
static uint64_t count_of(const sfmi_sums *all, size_t i, const sfmi_sums *part) {
  for (size_t j = 0; j < part->count; j++)
    if (same_entry(all, i, part, j)) return part->counts[j];
  return 0;
}

static uint64_t total_of(const sfmi_sums *sums) {
  uint64_t total = 0;
  for (size_t i = 0; sums->counts && i < sums->count; i++) total += sums->counts[i];
  return total;
}

static void check_sums(const sfmi_sums *all, const sfmi_sums *a, const sfmi_sums *b) {
  PROMISE(all->form == a->form && a->form == b->form);
  PROMISE(all->count <= a->count + b->count && total_of(all) == total_of(a) + total_of(b));
  for (size_t i = 0; i < all->count; i++) {
    if (all->integers)
      PROMISE(all->integers[i] == a->integers[i] + b->integers[i]);
    else
      PROMISE(all->counts[i] == count_of(all, i, a) + count_of(all, i, b));
  }
}

/* Merges both ways: either both fail and nothing changes, or both give the sum. */
static void merge(const sfm_partial *a, const sfm_partial *b) {
  sfm_error error = {0};
  uint64_t of, parts_a = sfm_partial_parts(a, &of), parts_b = sfm_partial_parts(b, &of);
  text before = bytes_of(a);
  sfm_partial *one = copy_of(a), *other = copy_of(b);
  const bool failed = sfm_partial_merge(one, b, &error),
             turned = sfm_partial_merge(other, a, &error);
  PROMISE(turned == failed);
  if (failed) {
    PROMISE(error.message[0]);
    check_bytes(one, &before);
  } else {
    text after = bytes_of(other);
    check_bytes(one, &after);
    clear_text(&after);
    check_sums(&one->sums, &a->sums, &b->sums);
    PROMISE(one->sum.count == a->sum.count + b->sum.count);
    PROMISE(sfm_partial_parts(one, &of) == parts_a + parts_b);
    check_facts(one);
    sfm_partial_destroy(copy_of(one));
  }
  clear_text(&before);
  sfm_partial_destroy(one);
  sfm_partial_destroy(other);
}

/* What holds of one: also that it is not merged with itself, and its sums as those of another part
 * are added. */
static void use(const sfm_partial *partial) {
  sfm_error error = {0};
  const uint64_t missing = sfm_partial_missing(partial);
  text bytes = bytes_of(partial);
  sfm_partial *copy = copy_of(partial);
  check_facts(partial);
  check_rows(partial);
  PROMISE(sfm_partial_merge(copy, partial, &error) == SFM_INVALID && error.message[0]);
  PROMISE(sfm_partial_merge(copy, copy, &error) == SFM_INVALID);
  check_bytes(copy, &bytes);
  if (missing) {
    copy->ranges[0] = (sfmi_part_range){missing, missing};
    copy->range_count = 1;
    merge(partial, copy);
  }
  sfm_partial_destroy(copy);
  clear_text(&bytes);
}

/* ---- releases ---- */

enum { LATTICE, RANDOM, PROCESS, FOURIER, TABLE, SPARSE, UNDECLARED, COUNT, SERIES, CURVE, KINDS };

typedef struct job {
  sfm_density_settings density;
  sfm_histogram_settings histogram;
  sfm_count_settings count;
  sfm_series_settings series;
  sfm_curve_settings curve;
  sfm_partial *partial;
} job;

static job jobs[KINDS];

static sfm_schema *make_schema(int kind) {
  static const char *const categories[] = {"a", "b"};
  const bool private_rows = kind == LATTICE || kind == TABLE || kind == SPARSE || kind == COUNT;
  sfm_schema *schema;
  PROMISE(!sfm_schema_create(&schema, NULL));
  PROMISE(!sfm_schema_set_bounds(schema, "x", 0, 1, NULL));
  PROMISE(!sfm_schema_set_bounds(schema, "y", 0, 1, NULL));
  PROMISE(!sfm_schema_set_categories(schema, "g", categories, 2, NULL));
  if (private_rows) PROMISE(!sfm_schema_set_neighbours(schema, SFM_NEIGHBOURS_ADD_REMOVE, NULL));
  return schema;
}

static sfm_context *context_of(job *j, int kind) {
  return kind <= FOURIER      ? &j->density.context
         : kind <= UNDECLARED ? &j->histogram.context
         : kind == COUNT      ? &j->count.context
         : kind == SERIES     ? &j->series.context
                              : &j->curve.context;
}

static void configure_density(sfm_density_settings *s, int kind) {
  static const char *const columns[] = {"x"};
  static const double bandwidth[] = {0.3};
  *s = sfm_density_settings_default();
  s->columns = columns;
  s->dimension = 1;
  s->bandwidth = bandwidth;
  s->epsilon = 1;
  s->method = kind == LATTICE   ? SFM_DENSITY_LATTICE
              : kind == FOURIER ? SFM_DENSITY_FOURIER_LAPLACE
                                : SFM_DENSITY_GP;
  if (kind == LATTICE) s->expected_rows = 9;
  if (kind == FOURIER) s->terms = 3;
  if (s->method == SFM_DENSITY_GP) s->delta = 1e-6;
  if (kind == RANDOM) s->engine = SFM_ENGINE_RANDOM;
  if (kind == RANDOM) s->features = 8;
}

static void configure_histogram(sfm_histogram_settings *s, int kind) {
  static const sfm_histogram_column dense[] = {{"g", 0}},
                                    large[] = {{"x", 1000000}, {"y", 1000000}},
                                    texts[] = {{"t", 0}, {"g", 0}};
  *s = sfm_histogram_settings_default();
  s->columns = kind == TABLE ? dense : kind == SPARSE ? large : texts;
  s->count = kind == TABLE ? 1 : 2;
  s->epsilon = kind == TABLE ? 1 : 60;
  if (kind == SPARSE) s->form = SFM_HISTOGRAM_SPARSE;
  if (kind == UNDECLARED) s->form = SFM_HISTOGRAM_UNDECLARED;
  if (kind == UNDECLARED) s->delta = 0.2;
}

static void configure_others(job *j) {
  static const char *const columns[] = {"k0", "k1", "k2", "k3"};
  static const double grid[] = {0, 1, 2, 3};
  j->count = sfm_count_settings_default();
  j->count.epsilon = 1;
  j->series = sfm_series_settings_default();
  j->series.column = "x";
  j->series.epsilon = 1;
  j->series.terms = 5;
  j->curve = sfm_curve_settings_default();
  j->curve.columns = columns;
  j->curve.count = 4;
  j->curve.grid = grid;
  j->curve.bandwidth = 1;
  j->curve.clip = 2;
  j->curve.epsilon = 1;
  j->curve.delta = 1e-6;
}

static sfm_status partial_of(sfm_partial **out, job *j, int kind, const sfm_part *part,
                             sfm_error *error) {
  return kind <= FOURIER      ? sfm_density_partial_create(out, &j->density, part, error)
         : kind <= UNDECLARED ? sfm_histogram_partial_create(out, &j->histogram, part, error)
         : kind == COUNT      ? sfm_count_partial_create(out, &j->count, part, error)
         : kind == SERIES     ? sfm_series_partial_create(out, &j->series, part, error)
                              : sfm_curve_partial_create(out, &j->curve, part, error);
}

static sfm_status release_of(sfm_release **out, job *j, int kind, sfm_rows *rows,
                             sfm_error *error) {
  return kind <= FOURIER      ? sfm_density_release(out, NULL, rows, &j->density, error)
         : kind <= UNDECLARED ? sfm_histogram_release(out, rows, &j->histogram, error)
         : kind == COUNT      ? sfm_count_release(out, rows, &j->count, error)
         : kind == SERIES     ? sfm_series_release(out, NULL, rows, &j->series, error)
                              : sfm_curve_release(out, NULL, rows, &j->curve, error);
}

static void make_jobs(void) {
  for (int kind = 0; kind < KINDS; kind++) {
    job *j = &jobs[kind];
    sfm_part part = sfm_part_default();
    sfm_error error = {0};
    configure_density(&j->density, kind);
    configure_histogram(&j->histogram, kind);
    configure_others(j);
    sfm_context *context = context_of(j, kind);
    context->schema = make_schema(kind);
    context->seeded = true;
    context->threads = 1;
    part.rows = sfm_schema_neighbours(context->schema) == SFM_NEIGHBOURS_REPLACE ? 9 : 0;
    if (partial_of(&j->partial, j, kind, &part, &error)) fprintf(stderr, "%s\n", error.message);
    PROMISE(j->partial != NULL);
    j->partial->sum.count = part.rows;
  }
}

/* A release of these sums: refused with a message, or one that can be written. */
static void release(int kind, const uint8_t *sums, size_t size) {
  job *j = &jobs[kind];
  sfmi_byte_codec codec = sfmi_byte_codec_reader(sums, size);
  sfm_partial *partial = copy_of(j->partial);
  sfm_error error = {0};
  sfm_release *made = NULL;
  sfm_rows *rows;
  sfmi_sums_clear(&partial->sums);
  sfmi_sums_code(&codec, &partial->sums);
  PROMISE(!sfm_rows_from_partial(&rows, partial, &error));
  if (!codec.failed && !release_of(&made, j, kind, rows, &error)) {
    char *written;
    size_t length;
    PROMISE(!sfmi_release_print(made, &written, &length, &error));
    free(written);
  } else if (!codec.failed) {
    PROMISE(!made && error.message[0]);
  }
  sfm_release_destroy(made);
  sfm_rows_destroy(rows);
  sfm_partial_destroy(partial);
}

/* ---- ---- */

static void begin(void) {
  static bool begun;
  if (begun) return;
  begun = true;
  PROMISE(sodium_init() >= 0);
  make_jobs();
  if (__sanitizer_install_malloc_and_free_hooks)
    PROMISE(__sanitizer_install_malloc_and_free_hooks(note_allocated, note_freed));
}

static void use_two(const uint8_t *data, size_t size) {
  if (size < 2) return;
  const size_t stated = data[0] | (size_t)data[1] << 8, left = size - 2,
               first = stated < left ? stated : left;
  sfm_partial *a = read_fields(data + 2, first), *b = read_fields(data + 2 + first, left - first);
  if (a && b) merge(a, b);
  sfm_partial_destroy(a);
  sfm_partial_destroy(b);
}

/* ---- mutation ---- */

/* One number of the sums becomes one at a limit, or their form another. */
static void change_sums(sfmi_sums *sums, unsigned seed) {
  static const uint64_t limits[] = {1, 2, INT64_MAX, (uint64_t)INT64_MAX + 1, UINT64_MAX, 127, 128};
  const uint64_t limit = limits[seed / 8 % (sizeof limits / sizeof *limits)];
  const size_t at = sums->count ? seed / 64 % sums->count : 0;
  if (sums->count == 0) return;
  if (sums->integers) {
    const sfmi_i128 wide = (sfmi_i128)((sfmi_u128)limit << (seed / 1024 % 65));
    sums->integers[at] = seed & 1 ? wide : -(wide / 2) - 1;
  } else if (sums->form == SFMI_SUMS_CELLS && seed & 1) {
    sums->keys[sums->count - 1] = limit;
  } else {
    sums->counts[at] = limit;
  }
}

/* Behind the first byte: the fields of a partial, or sums. */
static void code_changed(sfmi_byte_codec *out, uint8_t what, const uint8_t *data, size_t size,
                         unsigned seed) {
  sfmi_byte_codec in = sfmi_byte_codec_reader(data, size);
  if (what & RELEASE) {
    sfmi_sums sums = {0};
    sfmi_sums_code(&in, &sums);
    change_sums(&sums, seed);
    sfmi_sums_code(out, &sums);
    sfmi_sums_clear(&sums);
    return;
  }
  sfm_partial *partial = read_fields(data, size);
  if (partial) {
    change_sums(&partial->sums, seed);
    if (seed & 2) partial->ranges[0].last = partial->of;
    sfmi_partial_code(out, partial);
  }
  sfm_partial_destroy(partial);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  sfmi_byte_codec out = {0};
  begin();
  if (size && !(data[0] & (RAW | TWO)) && seed % 4 == 0)
    code_changed(&out, data[0], data + 1, size - 1, seed / 4);
  const bool good = !out.failed && out.length > 0 && out.length < most;
  if (good) memcpy(data + 1, out.written, out.length);
  if (good) size = out.length + 1;
  sfmi_byte_codec_clear(&out);
  return good || !LLVMFuzzerMutate ? size : LLVMFuzzerMutate(data, size, most);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  begin();
  if (size == 0) return 0;
  const uint8_t what = data[0];
  text raw = {(uint8_t *)(uintptr_t)(data + 1), size - 1};
  if (what & RELEASE) {
    release((what & 31) % KINDS, raw.at, raw.size);
  } else if (what & TWO) {
    use_two(raw.at, raw.size);
  } else {
    sfm_partial *partial = what & RAW ? read_bytes(&raw) : read_fields(raw.at, raw.size);
    if (partial) use(partial);
    sfm_partial_destroy(partial);
  }
  return 0;
}
