/* bench_histogram FILE - a dense histogram of three columns of a CSV (sex, region, age: 2 x 5
 * categories x 20 bins), from the file to the release, beside two loops that count the same cells
 * and protect nobody: one as anybody writes it (fgets, strcmp, strtod), one that scans blocks by
 * hand.  With --make it writes the file first, ten million rows. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/math/prng.h"
#include "sfumato/histogram.h"

enum { SEXES = 2, REGIONS = 5, BINS = 20, CELLS = SEXES * REGIONS * BINS, ROWS = 10000000 };
static const char *const sexes[SEXES] = {"F", "M"};
static const char *const regions[REGIONS] = {"north", "south", "east", "west", "islands"};

/* Of one processor. */
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void require(sfm_status status, const sfm_error *error) {
  if (!status) return;
  fprintf(stderr, "%s\n", error->message);
  exit(sfm_status_exit_code(status));
}

static void make_file(const char *path) {
  FILE *file = fopen(path, "w");
  sfmi_prng prng;
  if (!file) {
    perror(path);
    exit(1);
  }
  sfmi_prng_init(&prng, 1);
  fputs("id,sex,region,age\n", file);
  for (int i = 0; i < ROWS; i++)
    fprintf(file, "%d,%s,%s,%.1f\n", i, sexes[sfmi_prng_uniform(&prng) < 0.5],
            regions[(int)(REGIONS * sfmi_prng_uniform(&prng))], 100 * sfmi_prng_uniform(&prng));
  fclose(file);
}

static size_t bin_of(double x) {
  const double t = floor(x / 100 * BINS);
  return t < 0 ? 0 : t > BINS - 1 ? BINS - 1 : (size_t)t;
}

/* The place of a word, or SIZE_MAX. */
static size_t look_up(const char *const *words, size_t count, const char *text, size_t length) {
  for (size_t i = 0; i < count; i++)
    if (strlen(words[i]) == length && memcmp(words[i], text, length) == 0) return i;
  return SIZE_MAX;
}

static void count_plainly(uint64_t *counts, const char *path) {
  char line[256], *rest;
  FILE *file = fopen(path, "r");
  if (!file || !fgets(line, sizeof line, file)) exit(1);
  while (fgets(line, sizeof line, file)) {
    size_t sex = 0, region = 0;
    char *field = strtok_r(line, ",\n", &rest);
    field = strtok_r(NULL, ",\n", &rest);
    while (sex < SEXES && field && strcmp(field, sexes[sex]) != 0) sex++;
    field = strtok_r(NULL, ",\n", &rest);
    while (region < REGIONS && field && strcmp(field, regions[region]) != 0) region++;
    field = strtok_r(NULL, ",\n", &rest);
    if (sex < SEXES && region < REGIONS && field)
      counts[(sex * REGIONS + region) * BINS + bin_of(strtod(field, NULL))]++;
  }
  fclose(file);
}

/* One line of the scan by hand; digits with a point. */
static void count_line(uint64_t *counts, const char *at, const char *end) {
  const char *fields[5] = {at};
  size_t count = 1;
  for (; at < end && count < 5; at++)
    if (*at == ',') fields[count++] = at + 1;
  if (count != 4) return;
  const size_t sex = look_up(sexes, SEXES, fields[1], (size_t)(fields[2] - fields[1] - 1));
  const size_t region = look_up(regions, REGIONS, fields[2], (size_t)(fields[3] - fields[2] - 1));
  double x = 0, unit = 1;
  bool fraction = false;
  for (at = fields[3]; at < end; at++) {
    if (*at == '.') {
      fraction = true;
      continue;
    }
    x = 10 * x + (*at - '0');
    if (fraction) unit *= 10;
  }
  if (sex < SEXES && region < REGIONS) counts[(sex * REGIONS + region) * BINS + bin_of(x / unit)]++;
}

static void count_by_hand(uint64_t *counts, const char *path) {
  enum { BLOCK = 1 << 20 };
  static char block[BLOCK];
  FILE *file = fopen(path, "r");
  size_t kept = 0;
  bool header = true;
  if (!file) exit(1);
  for (size_t got; (got = fread(block + kept, 1, BLOCK - kept, file)) > 0;) {
    const char *at = block, *end = block + kept + got;
    for (const char *stop; (stop = memchr(at, '\n', (size_t)(end - at))); at = stop + 1) {
      if (!header) count_line(counts, at, stop);
      header = false;
    }
    kept = (size_t)(end - at);
    memmove(block, at, kept);
  }
  fclose(file);
}

static sfm_release *release(const char *path, sfm_histogram_settings *settings) {
  sfm_error error;
  sfm_rows *rows;
  sfm_release *out;
  require(sfm_rows_open(&rows, path, &error), &error);
  require(sfm_histogram_release(&out, rows, settings, &error), &error);
  sfm_rows_destroy(rows);
  return out;
}

/* The released counts are those of the loops, but for little noise. */
static double farthest(const sfm_release *out, const uint64_t *counts) {
  double most = 0;
  for (size_t i = 0; i < CELLS; i++)
    most = fmax(most, fabs(sfm_release_coefficient(out, i) - (double)counts[i]));
  return most;
}

int main(int argc, char **argv) {
  sfm_error error;
  sfm_schema *schema;
  if (argc < 2) {
    fprintf(stderr, "usage: %s FILE [--make]\n", argv[0]);
    return 2;
  }
  if (argc > 2) make_file(argv[1]);
  static const sfm_histogram_column columns[] = {{"sex", 0}, {"region", 0}, {"age", BINS}};
  sfm_histogram_settings settings = sfm_histogram_settings_default();
  require(sfm_schema_create(&schema, &error), &error);
  require(sfm_schema_set_categories(schema, "sex", sexes, SEXES, &error), &error);
  require(sfm_schema_set_categories(schema, "region", regions, REGIONS, &error), &error);
  require(sfm_schema_set_bounds(schema, "age", 0, 100, &error), &error);
  settings.context.schema = schema;
  settings.columns = columns;
  settings.count = 3;
  settings.epsilon = 1;
  double ours = INFINITY, plain = INFINITY, by_hand = INFINITY, far = 0;
  for (int round = 0; round < 3; round++) {
    static uint64_t counts[2][CELLS];
    memset(counts, 0, sizeof counts);
    double start = now();
    sfm_release *out = release(argv[1], &settings);
    ours = fmin(ours, now() - start);
    start = now();
    count_plainly(counts[0], argv[1]);
    plain = fmin(plain, now() - start);
    start = now();
    count_by_hand(counts[1], argv[1]);
    by_hand = fmin(by_hand, now() - start);
    if (memcmp(counts[0], counts[1], sizeof counts[0]) != 0) puts("the loops disagree");
    far = fmax(far, farthest(out, counts[0]));
    sfm_release_destroy(out);
  }
  sfm_schema_destroy(schema);
  printf(
      "histogram of three columns, %d cells: %.2f s; a plain loop %.2f s: %.2f x (wanted at most "
      "1.5); a loop by hand %.2f s: %.2f x; counts at most %.0f apart\n",
      CELLS, ours, plain, ours / plain, by_hand, ours / by_hand, far);
  return 0;
}
