/* test_row_hash.c - hashes of records, their sum and the fingerprint are those that reading.md and
 * row_hash.h state, by an implementation in Python (hashlib's BLAKE2b, and SipHash-2-4-128 written
 * from its paper); and persons are divided among parts. */
/* suite: both */
#include "test_support.h"

#include "data/batch/row_hash.h"

enum { RECORDS = 4 };

static const uint64_t FACTS[SFMI_READER_FACTS] = {1, 0, 0, 0};

typedef struct text {
  const char *bytes;
  size_t length;
} text;

static char many[100];
static const text records[RECORDS] = {
    {"", 0}, {"7,a", 3}, {"\"x \"\"y\"\"\",-1.5\r", 15}, {many, sizeof many}};
static const text ids[RECORDS] = {
    {"7", 1}, {"p q", 3}, {"\x80", 1}, {"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", 33}};

/* A batch of so many rows, only with what is hashed. */
typedef struct hashes {
  sfmi_row_hash owner[RECORDS], order[RECORDS];
  sfmi_row_print prints[RECORDS];
  sfmi_batch batch;
} hashes;

static sfmi_row_keys make_keys(void) {
  sfmi_row_keys keys = {.ordered = false};
  for (uint8_t i = 0; i < SFMI_ROW_KEY_BYTES; i++) {
    keys.fingerprint[i] = i;
    keys.persons[i] = (uint8_t)(100 + i);
  }
  return keys;
}

static sfmi_row_hasher hasher_of(const sfmi_row_keys *keys, const uint64_t *facts) {
  sfmi_row_hasher hasher = {.prints = true, .orders = true, .persons = true};
  sfmi_row_hasher_set_keys(&hasher, keys, facts);
  return hasher;
}

static void hash_all(hashes *h, const sfmi_row_keys *keys, const uint64_t *facts) {
  const sfmi_row_hasher hasher = hasher_of(keys, facts);
  *h = (hashes){.batch = {.rows = RECORDS}};
  h->batch.owner = h->owner;
  h->batch.order = h->order;
  h->batch.prints = h->prints;
  for (size_t r = 0; r < RECORDS; r++) {
    sfmi_row_hash_record(&hasher, &h->batch, r, records[r].bytes, records[r].length);
    sfmi_row_hash_person(&hasher, &h->batch, r, ids[r].bytes, ids[r].length);
  }
}

static sfmi_row_sum sum_of(const hashes *h, const size_t *order, size_t count) {
  sfmi_row_sum sum = {0};
  for (size_t i = 0; i < count; i++) sfmi_row_sum_add(&sum, &h->prints[order ? order[i] : i]);
  return sum;
}

/* Words, the lowest byte first, against hexadecimal. */
static void check_words(const char *claim, const uint64_t *words, size_t count,
                        const char *wanted) {
  char given[65] = "";
  for (size_t i = 0; i < 8 * count; i++)
    sprintf(given + 2 * i, "%02x", (unsigned)(words[i / 8] >> 8 * (i % 8)) & 0xff);
  if (strcmp(given, wanted) != 0) fail_msg("%s: %s is not %s", claim, given, wanted);
}

static void check_hash(const char *claim, const sfmi_row_hash *hash, const char *wanted) {
  char given[25] = "";
  for (size_t i = 0; i < 12; i++)
    sprintf(given + 2 * i, "%02x", hash->words[i / 4] >> 8 * (i % 4) & 0xff);
  if (strcmp(given, wanted) != 0) fail_msg("%s: %s is not %s", claim, given, wanted);
}

static void check_fingerprint(const sfmi_row_sum *sum, const sfmi_row_keys *keys,
                              const char *wanted, bool equal) {
  uint8_t print[SFMI_ROW_KEY_BYTES];
  char given[65] = "";
  sfmi_row_sum_fingerprint(sum, keys, print);
  for (size_t i = 0; i < sizeof print; i++) sprintf(given + 2 * i, "%02x", print[i]);
  if ((strcmp(given, wanted) == 0) != equal)
    fail_msg("%s is%s %s", given, equal ? " not" : "", wanted);
}

static const char *const PRINTS[] = {
    "568dae62079b96dfed6880e13f5c55d09bc51dfa3e3be91c2d81cf46a8bb1756",
    "b2c62e765ad19fd2919c87a67335fcb89a30a52899fa2f7453f757590d09f44a",
    "b7d63ac77a36f2624ee6aeba6e4e4af00d55dbd74189ddf2b817f4508e09c966",
    "36a1344b84b90ce37a70a124eae015f41f241bd65de0a47afbf61a878ba7db5a"};
static const char *const ORDERS[] = {"d5a081f29377fb6f35511819", "bbd9877c883bd9d18cf58b01",
                                     "622f6b42eb06c03099181f25", "2db6e1c12c1ac81d4a92846e"};
static const char *const OWNERS[] = {"28b6c819e044b7895a5b3b6b", "b9e372c4d1129883272b0559",
                                     "2f994be33e702cf17171d043", "38068c6e3f40a401c9648954"};
static const char *const SUM = "f5cb4ceb605c35f8485c58670cc1b16d646fb9d0779f9bfe34873678cf75b062",
                         *const FINGERPRINT =
                             "ca81a4cd8a78ec525bd57f8cfbd44951041034390b678393f4c1d95b5b133115";

static void hashes_are_those_of_another_implementation(void **state) {
  (void)state;
  const sfmi_row_keys keys = make_keys();
  hashes h;
  hash_all(&h, &keys, FACTS);
  for (size_t r = 0; r < RECORDS; r++) {
    check_words("print", h.prints[r].words, 4, PRINTS[r]);
    check_hash("order", &h.order[r], ORDERS[r]);
    check_hash("owner", &h.owner[r], OWNERS[r]);
  }
  const sfmi_row_sum sum = sum_of(&h, NULL, RECORDS);
  assert_int_equal(sum.count, RECORDS);
  check_words("sum", sum.words, 4, SUM);
  check_fingerprint(&sum, &keys, FINGERPRINT, true);
}

static void parts_are_those_of_another_implementation(void **state) {
  (void)state;
  static const uint64_t sevenths[] = {5, 3, 5, 4}, many_parts[] = {342747, 292223, 441647, 519171};
  const sfmi_row_keys keys = make_keys();
  hashes h;
  hash_all(&h, &keys, FACTS);
  for (size_t r = 0; r < RECORDS; r++) {
    assert_int_equal(sfmi_row_hash_part(&h.owner[r], 7), sevenths[r]);
    assert_int_equal(sfmi_row_hash_part(&h.owner[r], 1000003), many_parts[r]);
    assert_int_equal(sfmi_row_hash_part(&h.owner[r], 1), 0);
  }
}

static void sums_carry_through_all_words(void **state) {
  (void)state;
  const uint64_t most = UINT64_MAX;
  const sfmi_row_print one = {{1, 0, 0, 0}}, all = {{most, most, most, most}},
                       word = {{0, 1, 0, 0}}, high = {{most, 0, most, 1}};
  sfmi_row_sum sum = {0};
  sfmi_row_sum_add(&sum, &all);
  assert_true(sum.words[0] == most && sum.words[3] == most);
  sfmi_row_sum_add(&sum, &one); /* 2^256 is 0 */
  assert_true(!sum.words[0] && !sum.words[1] && !sum.words[2] && !sum.words[3]);
  sum = (sfmi_row_sum){.words = {1, most, most, 5}};
  sfmi_row_sum_add(&sum, &high); /* word by word: 2^64, 2^64 with the carry, and 2^64 - 1 with it */
  assert_true(!sum.words[0] && !sum.words[1] && sum.words[2] == most && sum.words[3] == 7);
  sum = (sfmi_row_sum){.words = {most, most - 1, 0, 0}};
  const sfmi_row_sum other = {.count = 8, .words = {0, 1, 0, 0}};
  sfmi_row_sum_merge(&sum, &other);
  assert_true(sum.words[0] == most && sum.words[1] == most && !sum.words[2] && sum.count == 8);
  sfmi_row_sum_add(&sum, &word);
  assert_true(sum.words[0] == most && !sum.words[1] && sum.words[2] == 1 && sum.count == 9);
}

static void neither_order_nor_split_changes_the_fingerprint(void **state) {
  (void)state;
  const sfmi_row_keys keys = make_keys();
  sfmi_prng prng;
  hashes h;
  sfmi_prng_init(&prng, 8);
  hash_all(&h, &keys, FACTS);
  for (size_t turn = 0; turn < 100; turn++) {
    size_t order[RECORDS] = {0, 1, 2, 3};
    sfmi_prng_shuffle(&prng, order, RECORDS);
    const size_t first = turn % (RECORDS + 1);
    sfmi_row_sum one = sum_of(&h, order, first);
    const sfmi_row_sum two = sum_of(&h, order + first, RECORDS - first);
    sfmi_row_sum_merge(&one, &two);
    check_words("sum", one.words, 4, SUM);
    check_fingerprint(&one, &keys, FINGERPRINT, true);
  }
}

/* Every bit of the key, every fact, every record and their number. */
static void all_that_it_is_of_changes_the_fingerprint(void **state) {
  (void)state;
  const sfmi_row_keys keys = make_keys();
  hashes h;
  hash_all(&h, &keys, FACTS);
  sfmi_row_sum sum = sum_of(&h, NULL, RECORDS);
  sum.count++;
  check_fingerprint(&sum, &keys, FINGERPRINT, false);
  for (size_t i = 0; i < 256; i++) {
    sfmi_row_keys other = keys;
    sfmi_row_sum moved = sum_of(&h, NULL, RECORDS);
    moved.words[i / 64] ^= (uint64_t)1 << i % 64;
    check_fingerprint(&moved, &keys, FINGERPRINT, false);
    other.fingerprint[i / 8] ^= (uint8_t)(1u << i % 8);
    hashes under_other;
    hash_all(&under_other, &other, FACTS);
    sum = sum_of(&under_other, NULL, RECORDS);
    check_fingerprint(&sum, &keys, FINGERPRINT, false); /* hashes under another key */
    sum = sum_of(&h, NULL, RECORDS);
    check_fingerprint(&sum, &other, FINGERPRINT, false); /* only the last step under it */
  }
  for (size_t i = 0; i < SFMI_READER_FACTS; i++) {
    uint64_t facts[SFMI_READER_FACTS] = {1, 0, 0, 0};
    facts[i] ^= (uint64_t)1 << 63;
    hashes other;
    hash_all(&other, &keys, facts);
    sum = sum_of(&other, NULL, RECORDS);
    check_fingerprint(&sum, &keys, FINGERPRINT, false);
    check_hash("order", &other.order[1], ORDERS[1]); /* of which facts are no part */
    check_hash("owner", &other.owner[1], OWNERS[1]);
  }
}

static void the_two_keys_are_apart(void **state) {
  (void)state;
  sfmi_row_keys keys = make_keys();
  hashes h, other;
  hash_all(&h, &keys, FACTS);
  keys.persons[31] ^= 1;
  hash_all(&other, &keys, FACTS);
  assert_memory_equal(h.prints, other.prints, sizeof h.prints);
  for (size_t r = 0; r < RECORDS; r++) {
    assert_memory_not_equal(&h.order[r], &other.order[r], sizeof h.order[r]);
    assert_memory_not_equal(&h.owner[r], &other.owner[r], sizeof h.owner[r]);
  }
}

static void nobody_has_no_hash(void **state) {
  (void)state;
  const sfmi_row_keys keys = make_keys();
  const sfmi_row_hasher hasher = hasher_of(&keys, FACTS);
  hashes h = {.batch = {.rows = 1}};
  h.batch.owner = h.owner;
  sfmi_row_hash_person(&hasher, &h.batch, 0, "", 0);
  assert_true(sfmi_row_hash_is_zero(&h.owner[0]));
  for (uint32_t i = 0; i < 1000; i++) { /* and nobody else */
    sfmi_row_hash_person(&hasher, &h.batch, 0, &i, sizeof i);
    assert_false(sfmi_row_hash_is_zero(&h.owner[0]));
  }
}

/* Every person is in one part, and parts have about as many: the largest deviation of all parts is
 * that of binomials. */
static void check_parts(uint64_t parts, size_t persons, const sfmi_row_hasher *hasher) {
  hashes h = {.batch = {.rows = 1}};
  size_t *found = calloc(parts, sizeof *found);
  h.batch.owner = h.owner;
  for (size_t i = 0; i < persons; i++) {
    char id[32];
    const int length = snprintf(id, sizeof id, "person %zu", i);
    sfmi_row_hash_person(hasher, &h.batch, 0, id, (size_t)length);
    const uint64_t part = sfmi_row_hash_part(&h.owner[0], parts);
    assert_true(part < parts);
    found[part]++;
  }
  const double p = 1 / (double)parts;
  for (uint64_t i = 0; parts > 1 && i < parts; i++) {
    const double below = binomial_cdf(found[i], persons, p),
                 above = binomial_cdf(persons - found[i], persons, 1 - p);
    if (fmin(below, above) < TEST_SIGNIFICANCE / (double)parts)
      fail_msg("part %d of %d has %zu of %zu persons", (int)i + 1, (int)parts, found[i], persons);
  }
  free(found);
}

static void persons_are_divided_evenly(void **state) {
  (void)state;
  static const uint64_t parts[] = {1, 2, 3, 4, 5, 7, 16, 64, 100, 101};
  const sfmi_row_keys keys = make_keys();
  const sfmi_row_hasher hasher = hasher_of(&keys, FACTS);
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    check_parts(parts[i], test_repetitions(16000, 2000), &hasher);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hashes_are_those_of_another_implementation),
      cmocka_unit_test(parts_are_those_of_another_implementation),
      cmocka_unit_test(sums_carry_through_all_words),
      cmocka_unit_test(neither_order_nor_split_changes_the_fingerprint),
      cmocka_unit_test(all_that_it_is_of_changes_the_fingerprint),
      cmocka_unit_test(the_two_keys_are_apart),
      cmocka_unit_test(nobody_has_no_hash),
      cmocka_unit_test(persons_are_divided_evenly),
  };
  memset(many, 0xff, sizeof many);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
