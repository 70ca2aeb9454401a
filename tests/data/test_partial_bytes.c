/* test_partial_bytes.c - a partial as bytes and as a file: whole, private, or refused; and parts
 * that are merged, one at a time and in any order, into the same bytes. */
/* suite: both */
#include "test_support.h"

#include <fcntl.h>
#include <jansson.h>
#include <malloc.h>
#include <sodium.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data/partial/partial.h"
#include "data/rows/rows_open.h"
#include "read_rows.h"

enum { HASH = 32, VERSION_AT = 16 };

static char folder[64];
static sfm_schema *schema;

typedef struct bytes {
  uint8_t *at;
  size_t size;
} bytes;

static sfm_partial *create(uint64_t number, uint64_t of) {
  sfm_count_settings settings = sfm_count_settings_default();
  sfm_part part = sfm_part_default();
  sfm_partial *partial;
  settings.context.schema = schema;
  settings.where = "x > 1";
  settings.epsilon = 1;
  part.number = number;
  part.of = of;
  part.job = "nightly";
  MUST(sfm_count_partial_create(&partial, &settings, &part, error));
  return partial;
}

/* Texts that were found, as many as that, each `each` times. */
static void set_texts(sfm_partial *partial, size_t count, uint64_t each) {
  sfmi_sums_clear(&partial->sums);
  MUST(sfmi_sums_init(&partial->sums, SFMI_SUMS_TEXTS, count, error));
  partial->sums.bytes = malloc(8 * count + 1);
  for (size_t i = 0; i < count; i++) {
    char text[32];
    snprintf(text, sizeof text, "t%06zu", i % 1000000);
    memcpy(partial->sums.bytes + 8 * i, text, 8);
    partial->sums.keys[i] = 8 * (i + 1);
    partial->sums.counts[i] = each;
  }
}

/* A part with records of its own. */
static sfm_partial *part_of(uint64_t number, uint64_t of) {
  sfm_partial *partial = create(number, of);
  sfm_rows *rows;
  char text[200];
  size_t used = (size_t)sprintf(text, "x\n");
  for (uint64_t i = 0; i < number % 7; i++) used += (size_t)sprintf(text + used, "%d\n", (int)i);
  MUST(sfmi_rows_open_memory(&rows, text, used, 0, error));
  MUST(sfm_partial_add(partial, rows, error));
  sfm_rows_destroy(rows);
  return partial;
}

static bytes bytes_of(const sfm_partial *partial) {
  void *at;
  bytes all;
  MUST(sfm_partial_to_bytes(partial, &at, &all.size, error));
  all.at = at;
  return all;
}

static void clear_bytes(bytes *all) {
  sfm_partial_free_bytes(all->at, all->size);
}

static void check_bytes(const sfm_partial *partial, const bytes *wanted) {
  bytes given = bytes_of(partial);
  assert_int_equal(given.size, wanted->size);
  assert_memory_equal(given.at, wanted->at, given.size);
  clear_bytes(&given);
}

/* The partial in bytes that end where their memory does; NULL where they are refused. */
static sfm_partial *partial_in(const uint8_t *at, size_t size, sfm_error *error) {
  sfm_partial *partial;
  uint8_t *exact = malloc(size + !size);
  memcpy(exact, at, size);
  const sfm_status status = sfm_partial_from_bytes(&partial, exact, size, error);
  free(exact);
  if (status) assert_true(status == SFM_FORMAT && !partial && error->message[0]);
  return partial;
}

static void refuses_bytes(const uint8_t *at, size_t size, const char *word) {
  sfm_error error = {0};
  if (partial_in(at, size, &error)) fail_msg("%zu bytes are read", size);
  if (!strstr(error.message, word)) fail_msg("'%s' is not in '%s'", word, error.message);
}

static size_t used_memory(void) {
  return mallinfo2().uordblks + mallinfo2().hblkhd;
}

static const char *path_of(const char *name) {
  static char path[128];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

/* ---- bytes and files ---- */

static void bytes_are_read_back(void **state) {
  (void)state;
  sfm_partial *partial = part_of(3, 5);
  bytes all = bytes_of(partial);
  sfm_error why = {0};
  sfm_partial *back = partial_in(all.at, all.size, &why);
  sfm_rows *rows;
  uint64_t of;
  assert_non_null(back);
  check_bytes(back, &all);
  assert_int_equal(sfm_partial_parts(back, &of), 1);
  assert_int_equal(of, 5);
  assert_int_equal(sfm_partial_missing(back), 1);
  assert_int_equal(sfm_partial_rows(back), 0);
  assert_string_equal(sfm_partial_mechanism(back), "count");
  assert_string_equal(sfm_partial_settings(back), sfm_partial_settings(partial));
  assert_string_equal(back->job, "nightly");
  assert_int_equal(back->sum.count, 3);
  assert_int_equal(back->sums.counts[0], 1); /* 2 > 1 */
  MUST(sfmi_rows_open_memory(&rows, "x\n", 2, 0, error));
  REFUSES(SFM_INVALID, sfm_partial_add(back, rows, error), "read or merged");
  sfm_rows_destroy(rows);
  clear_bytes(&all);
  sfm_partial_destroy(back);
  sfm_partial_destroy(partial);
  sfm_partial_destroy(NULL);
  sfm_partial_free_bytes(NULL, 0);
}

static void a_file_is_private_and_new(void **state) {
  (void)state;
  sfm_partial *partial = part_of(1, 5), *other = part_of(2, 5), *back;
  bytes all = bytes_of(partial);
  struct stat facts;
  const mode_t before = umask(0);
  char name[128];
  snprintf(name, sizeof name, "%s", path_of("one.sfpart"));
  MUST(sfm_partial_write(partial, name, error));
  umask(before);
  assert_int_equal(stat(name, &facts), 0);
  assert_int_equal(facts.st_mode & 07777, 0600);
  assert_int_equal(facts.st_size, all.size);
  REFUSES(SFM_INVALID, sfm_partial_write(other, name, error), "not overwritten", "one.sfpart");
  MUST(sfm_partial_read(&back, name, error));
  check_bytes(back, &all);
  sfm_partial_destroy(back);
  assert_int_equal(symlink("nowhere", path_of("link")), 0); /* a link is something, too */
  REFUSES(SFM_INVALID, sfm_partial_write(other, path_of("link"), error), "not overwritten");
  assert_int_equal(stat(path_of("nowhere"), &facts), -1);
  assert_int_equal(unlink(path_of("link")), 0);
  REFUSES(SFM_IO, sfm_partial_write(other, path_of("gone/one"), error), "gone/one");
  REFUSES(SFM_INVALID, sfm_partial_read(&back, path_of("gone/one"), error), "gone/one");
  assert_null(back);
  assert_int_equal(unlink(name), 0);
  clear_bytes(&all);
  sfm_partial_destroy(partial);
  sfm_partial_destroy(other);
}

static void a_file_that_is_none_is_named(void **state) {
  (void)state;
  sfm_partial *partial = part_of(1, 5), *back;
  bytes all = bytes_of(partial);
  const char *path = path_of("cut");
  for (size_t size = 0; size < all.size; size += all.size / 3) {
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(file >= 0 && write(file, all.at, size) == (ssize_t)size);
    close(file);
    REFUSES(SFM_FORMAT, sfm_partial_read(&back, path, error), "/cut is");
    assert_null(back);
  }
  assert_int_equal(unlink(path), 0);
  clear_bytes(&all);
  sfm_partial_destroy(partial);
}

static void every_truncation_is_refused(void **state) {
  (void)state;
  sfm_partial *partial = part_of(1, 5);
  bytes all = bytes_of(partial);
  for (size_t size = 0; size < all.size; size++)
    refuses_bytes(all.at, size, size < 24 + HASH ? "is not a file of partial sums" : "is damaged");
  clear_bytes(&all);
  sfm_partial_destroy(partial);
}

static void every_flip_is_caught_by_the_hash(void **state) {
  (void)state;
  sfm_partial *partial = part_of(1, 5);
  bytes all = bytes_of(partial);
  for (size_t i = 0; i < all.size; i++)
    for (unsigned bit = 0; bit < 8; bit++) {
      all.at[i] ^= (uint8_t)(1u << bit);
      refuses_bytes(all.at, all.size, i < 16 ? "is not a file of partial sums" : "is damaged");
      all.at[i] ^= (uint8_t)(1u << bit);
    }
  clear_bytes(&all);
  sfm_partial_destroy(partial);
}

static void hash(bytes *all) {
  crypto_generichash(all->at + all->size - HASH, HASH, all->at, all->size - HASH, NULL, 0);
}

/* Whoever changes the bytes can make the hash anew. */
static void what_is_read_is_what_would_be_written(void **state) {
  (void)state;
  sfm_partial *partial = part_of(1, 5), *back;
  sfm_error error;
  size_t read = 0;
  set_texts(partial, 3, 2);
  bytes all = bytes_of(partial);
  for (size_t i = 24; i + HASH < all.size; i++)
    for (unsigned flip = 1; flip < 256; flip += test_sanitized() ? 17 : 1) {
      all.at[i] ^= (uint8_t)flip;
      hash(&all);
      back = partial_in(all.at, all.size, &error);
      if (back) check_bytes(back, &all);
      if (back) assert_true(back->ranges[back->range_count - 1].last <= back->of);
      read += back != NULL;
      sfm_partial_destroy(back);
      all.at[i] ^= (uint8_t)flip;
    }
  assert_true(read > 100); /* numbers of records can be others */
  clear_bytes(&all);
  sfm_partial_destroy(partial);
}

static void another_version_is_named(void **state) {
  (void)state;
  sfm_partial *partial = part_of(1, 5);
  bytes all = bytes_of(partial);
  static const uint8_t versions[] = {0, 2, 255};
  for (size_t i = 0; i < 3; i++) {
    all.at[VERSION_AT] = versions[i];
    hash(&all);
    refuses_bytes(all.at, all.size, "another version of sfumato");
    refuses_bytes(all.at, all.size - 1, "is damaged"); /* its hash comes first */
  }
  clear_bytes(&all);
  sfm_partial_destroy(partial);
}

/* ---- memory that is short ---- */

static size_t json_left; /* allocations of JSON until one fails; 0: none does */

static void *json_memory(size_t size) {
  if (json_left > 0 && --json_left == 0) return NULL;
  return malloc(size);
}

/* While memory for JSON is short nothing is made, and nothing is left behind. */
static void nothing_is_made_without_json(void **state) {
  (void)state;
  sfm_count_settings settings = sfm_count_settings_default();
  sfm_partial *partial = part_of(1, 5), *made;
  sfm_part part = sfm_part_default();
  sfm_error said;
  bytes all = bytes_of(partial);
  size_t failed = 0;
  settings.context.schema = schema;
  settings.epsilon = 1;
  json_set_alloc_funcs(json_memory, free);
  for (size_t n = 1; n < 200; n++) {
    json_left = n;
    sfm_status status = sfm_count_partial_create(&made, &settings, &part, &said);
    assert_true(!status || (status == SFM_MEMORY && !made && said.message[0]));
    if (status) failed++;
    sfm_partial_destroy(made);
    json_left = n;
    status = sfm_partial_from_bytes(&made, all.at, all.size, &said);
    assert_true(!status || (!made && said.message[0]));
    if (status) failed++;
    sfm_partial_destroy(made);
    json_left = 0;
  }
  json_set_alloc_funcs(malloc, free);
  assert_true(failed > 20);
  clear_bytes(&all);
  sfm_partial_destroy(partial);
}

/* A whole partial whose sums are larger than memory: nobody is told to make it again. */
static void short_memory_is_no_damage(void **state) {
  (void)state;
  enum { COUNTS = 1 << 25, COUNT_AT = HASH + 9 }; /* before the end */
  sfm_partial *partial = create(1, 5), *back;
  bytes all = bytes_of(partial), large = {calloc(all.size + COUNTS - 1, 1), all.size + COUNTS - 1};
  struct rlimit before, less;
  memcpy(large.at, all.at, all.size - HASH);
  large.at[all.size - COUNT_AT] = 0;
  large.at[all.size - COUNT_AT + 3] = COUNTS >> 24;
  hash(&large);
  if (!test_sanitized()) { /* whose memory has no limit */
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    less = before;
    less.rlim_cur = used_memory() + ((size_t)1 << 27);
    assert_int_equal(setrlimit(RLIMIT_AS, &less), 0);
    REFUSES(SFM_MEMORY, sfm_partial_from_bytes(&back, large.at, large.size, error), "memory");
    assert_null(back);
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
  }
  MUST(sfm_partial_from_bytes(&back, large.at, large.size, error));
  assert_int_equal(back->sums.count, COUNTS);
  sfm_partial_destroy(back);
  free(large.at);
  clear_bytes(&all);
  sfm_partial_destroy(partial);
}

/* ---- merging ---- */

/* A part that says of itself what another one does not. */
static void check_other(const char *what, void (*change)(sfm_partial *)) {
  sfm_partial *one = part_of(1, 5), *other = part_of(2, 5);
  bytes before = bytes_of(one), of_other;
  change(other);
  of_other = bytes_of(other);
  const sfm_status status = what[0] == 'd' ? SFM_FORMAT : SFM_INVALID;
  REFUSES(status, sfm_partial_merge(one, other, error), what, "2/");
  check_bytes(one, &before);
  REFUSES(status, sfm_partial_merge(other, one, error), what, "1/5");
  check_bytes(other, &of_other);
  clear_bytes(&before);
  clear_bytes(&of_other);
  sfm_partial_destroy(one);
  sfm_partial_destroy(other);
}

static void other_job(sfm_partial *p) {
  p->job[0] = 'N';
}
static void other_of(sfm_partial *p) {
  p->of = 6;
}
static void other_settings(sfm_partial *p) {
  *strstr(p->settings, "epsilon") = 'E';
}
static void other_key(sfm_partial *p) {
  p->keyed = true;
}
static void other_mechanism(sfm_partial *p) {
  p->mechanism[0] = 'C';
}
static void other_rows(sfm_partial *p) {
  p->rows = 9;
}
static void other_person(sfm_partial *p) {
  p->persons = true;
}

static void what_differs_is_named_and_changes_nothing(void **state) {
  (void)state;
  check_other("another job", other_job);
  check_other("another number of parts", other_of);
  check_other("other settings", other_settings);
  check_other("under different", other_key);
  check_other("damaged", other_mechanism);
  check_other("damaged", other_rows);
  check_other("damaged", other_person);
}

static void merge_all(sfm_partial **all, sfm_partial *part) {
  if (*all) {
    MUST(sfm_partial_merge(*all, part, error));
    sfm_partial_destroy(part);
  } else {
    *all = part;
  }
}

enum { PARTS = 6 };

/* The bytes of parts that are merged in an order; in two halves, which are merged then. */
static bytes merged_in_order(const size_t order[PARTS], size_t first) {
  sfm_partial *left = NULL, *right = NULL;
  bytes all;
  uint64_t of;
  for (size_t i = 0; i < PARTS; i++) {
    sfm_partial *part = part_of(order[i] + 1, PARTS);
    set_texts(part, order[i], order[i] + 1);
    merge_all(i < first ? &left : &right, part);
  }
  if (first < PARTS) REFUSES(SFM_INVALID, sfm_partial_merge(left, left, error), "twice");
  merge_all(&left, right);
  assert_int_equal(sfm_partial_parts(left, &of), PARTS);
  assert_int_equal(sfm_partial_missing(left), 0);
  assert_int_equal(left->range_count, 1);
  all = bytes_of(left);
  sfm_partial_destroy(left);
  return all;
}

static void swap(size_t *a, size_t *b) {
  const size_t c = *a;
  *a = *b;
  *b = c;
}

/* The order after this one as numbers are; the last stays. */
static void next_order(size_t order[PARTS]) {
  size_t i = PARTS - 1, j = PARTS - 1;
  while (i > 0 && order[i - 1] > order[i]) i--;
  if (i == 0) return;
  while (order[j] < order[i - 1]) j--;
  swap(&order[i - 1], &order[j]);
  for (size_t b = PARTS - 1; i < b; i++, b--) swap(&order[i], &order[b]);
}

static void every_order_of_merging_gives_the_same_bytes(void **state) {
  (void)state;
  size_t order[PARTS] = {0, 1, 2, 3, 4, 5};
  bytes wanted = merged_in_order(order, PARTS / 2);
  for (size_t turn = 0; turn < 720; turn++, next_order(order)) {
    if (test_left_out(turn, 7)) continue;
    bytes given = merged_in_order(order, 1 + turn % (PARTS - 1));
    assert_int_equal(given.size, wanted.size);
    assert_memory_equal(given.at, wanted.at, given.size);
    clear_bytes(&given);
  }
  assert_true(order[0] == 5 && order[5] == 0); /* the last of all */
  clear_bytes(&wanted);
}

static void missing_and_twice_follow_the_ranges(void **state) {
  (void)state;
  static const uint64_t numbers[] = {9, 2, 5, 3, 1, 8, 4, 7, 6},
                        missing[] = {1, 1, 1, 1, 4, 4, 6, 6, 0};
  sfm_partial *all = NULL;
  for (size_t i = 0; i < 9; i++) {
    uint64_t of;
    sfm_partial *again = part_of(numbers[i], 9);
    merge_all(&all, part_of(numbers[i], 9));
    assert_int_equal(sfm_partial_parts(all, &of), i + 1);
    assert_int_equal(sfm_partial_missing(all), missing[i]);
    char said[40];
    snprintf(said, sizeof said, "part %d/9 is there twice", (int)numbers[i]);
    REFUSES(SFM_INVALID, sfm_partial_merge(all, again, error), said);
    sfm_partial_destroy(again);
  }
  sfm_partial_destroy(all);
}

/* Parts of which each comes as bytes, with the same texts, one at a time: what is kept of them does
 * not grow with their number.  (Sanitizers have memory of their own.) */
static void memory_does_not_grow_with_the_parts(void **state) {
  (void)state;
  enum { OF = 100000, TEXTS = 20, EARLY = 10 };
  const uint64_t last = test_sanitized() ? 1000 : OF;
  sfm_partial *part = create(1, OF), *all = create(1, OF);
  uint64_t of;
  size_t early = 0;
  set_texts(part, TEXTS, 1);
  set_texts(all, TEXTS, 1);
  for (uint64_t i = 2; i <= last; i++) {
    sfm_partial *next;
    part->ranges[0] = (sfmi_part_range){i, i};
    bytes given = bytes_of(part);
    MUST(sfm_partial_from_bytes(&next, given.at, given.size, error));
    MUST(sfm_partial_merge(all, next, error));
    clear_bytes(&given);
    sfm_partial_destroy(next);
    if (i == EARLY) early = used_memory();
  }
  assert_true(used_memory() <= early + 1024);
  assert_int_equal(sfm_partial_parts(all, &of), last);
  assert_int_equal(all->sums.count, TEXTS);
  for (size_t i = 0; i < TEXTS; i++) assert_int_equal(all->sums.counts[i], last);
  sfm_partial_destroy(part);
  sfm_partial_destroy(all);
}

static int begin(void **state) {
  (void)state;
  strcpy(folder, "/tmp/sfumato-partial-XXXXXX");
  sfm_error error;
  if (!mkdtemp(folder) || sfm_schema_create(&schema, &error)) return -1;
  return sfm_schema_set_bounds(schema, "x", 0, 9, &error) ||
         sfm_schema_set_neighbours(schema, SFM_NEIGHBOURS_ADD_REMOVE, &error);
}

static int end(void **state) {
  (void)state;
  sfm_schema_destroy(schema);
  return rmdir(folder); /* nothing is left in it */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bytes_are_read_back),
      cmocka_unit_test(a_file_is_private_and_new),
      cmocka_unit_test(a_file_that_is_none_is_named),
      cmocka_unit_test(every_truncation_is_refused),
      cmocka_unit_test(every_flip_is_caught_by_the_hash),
      cmocka_unit_test(what_is_read_is_what_would_be_written),
      cmocka_unit_test(another_version_is_named),
      cmocka_unit_test(nothing_is_made_without_json),
      cmocka_unit_test(short_memory_is_no_damage),
      cmocka_unit_test(what_differs_is_named_and_changes_nothing),
      cmocka_unit_test(every_order_of_merging_gives_the_same_bytes),
      cmocka_unit_test(missing_and_twice_follow_the_ranges),
      cmocka_unit_test(memory_does_not_grow_with_the_parts),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
