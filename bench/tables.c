/* bench_tables DATA [EPSILON...] - the mean l1 error of tables over 1,000 releases, plain and
 * sparse, beside the bound (2q+1)/epsilon (ln p + 1) of Hall's thesis (2.4.3): the Edwards table
 * (64 cells, 22 occupied, n = 70) and the National Long Term Care Survey (2^16 cells, 3152
 * occupied, n = 21574).  DATA holds mildew/mildew_cells.csv and nltcs/nltcs.csv.  With epsilons it
 * prints the errors under add-remove at these, for a peer to be compared with. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mechanisms/statistics/histogram_counts.h"

enum { RELEASES = 1000, EPSILONS = 20, CELLS_MAX = 1 << 16 };

typedef struct table {
  const char *name;
  size_t cells, occupied;
  uint64_t counts[CELLS_MAX], rows;
  uint64_t keys[CELLS_MAX], occupied_counts[CELLS_MAX];
} table;

static void require(sfm_status status, const sfm_error *error) {
  if (!status) return;
  fprintf(stderr, "%s\n", error->message);
  exit(sfm_status_exit_code(status));
}

/* Lines of 0 and 1, or of 1, 2 and a count. */
static bool load(table *t, const char *folder, const char *file, const char *name, size_t columns,
                 bool counted) {
  char path[4096], line[512];
  snprintf(path, sizeof path, "%s/%s", folder, file);
  FILE *stream = fopen(path, "r");
  *t = (table){.name = name, .cells = (size_t)1 << columns};
  if (!stream || !fgets(line, sizeof line, stream)) {
    printf("%s is not there: %s is not measured\n", path, name);
    return false;
  }
  while (fgets(line, sizeof line, stream)) {
    size_t key = 0;
    char *rest = line;
    for (size_t i = 0; i < columns; i++, rest += *rest == ',')
      key = 2 * key + (strtoul(rest, &rest, 10) == (counted ? 2 : 1));
    const uint64_t more = counted ? strtoul(rest, NULL, 10) : 1;
    t->counts[key] += more;
    t->rows += more;
  }
  fclose(stream);
  for (size_t i = 0; i < t->cells; i++) {
    if (!t->counts[i]) continue;
    t->keys[t->occupied] = i;
    t->occupied_counts[t->occupied++] = t->counts[i];
  }
  return true;
}

/* Mean errors over releases: of noisy counts, of those with zeros for negative ones, of the sparse
 * table without and with the number of occupied cells stated. */
typedef struct errors {
  double raw, plain, sparse, stated;
} errors;

static double sparse_error(const table *t, const sfmi_cell_list *list) {
  double error = (double)t->rows; /* were nothing listed */
  for (size_t e = 0; e < list->count; e++) {
    const double count = (double)t->counts[list->keys[e]];
    error += fabs((double)list->values[e] - count) - count;
  }
  return error;
}

static double thin(const table *t, sfmi_hardener *hardener, double tau) {
  sfm_error error;
  sfmi_cell_list list;
  require(sfmi_histogram_noise_sparse(hardener, &list, t->keys, t->occupied_counts, t->occupied,
                                      t->cells, (int64_t)floor(tau), &error),
          &error);
  const double far = sparse_error(t, &list);
  sfmi_cell_list_clear(&list);
  return far;
}

static errors measure(const table *t, double epsilon, bool replace, size_t releases) {
  static int64_t noisy[CELLS_MAX];
  sfm_error error;
  sfmi_noise_law law = {0};
  sfmi_hardener *hardener;
  errors sum = {0};
  require(sfmi_harden_laplace(&law, replace ? 2 : 1, epsilon, &error), &error);
  require(sfmi_hardener_create(&hardener, &law, (sfmi_seed){true, 1}, &error), &error);
  const double scale = sfmi_noise_scale(&law), p = (double)t->cells, q = (double)t->occupied;
  for (size_t k = 0; k < releases; k++) {
    sfmi_histogram_noise_dense(hardener, noisy, t->counts, t->cells, false, 0);
    for (size_t i = 0; i < t->cells; i++) {
      const double count = (double)t->counts[i], value = (double)noisy[i];
      sum.raw += fabs(value - count);
      sum.plain += fabs(fmax(value, 0) - count);
    }
    sum.sparse += thin(t, hardener, scale * log(p));
    sum.stated += thin(t, hardener, scale * log(p / q));
  }
  sfmi_hardener_destroy(hardener);
  const double n = (double)releases;
  return (errors){sum.raw / n, sum.plain / n, sum.sparse / n, sum.stated / n};
}

static void print_table(const table *t) {
  const double p = (double)t->cells, q = (double)t->occupied;
  printf("%s: %zu cells, %zu occupied, n = %llu; mean l1 error over %d releases, replace\n",
         t->name, t->cells, t->occupied, (unsigned long long)t->rows, RELEASES);
  printf("  epsilon     noisy  not negative    sparse  occupied stated     bound  sparse/plain  "
         "sparse/bound\n");
  for (int i = 1; i <= EPSILONS; i++) {
    const double epsilon = 0.1 * i, bound = (2 * q + 1) / epsilon * (log(p) + 1);
    const errors e = measure(t, epsilon, true, RELEASES);
    printf("  %7.1f %9.1f %13.1f %9.1f %16.1f %9.0f %13.3f %13.4f\n", epsilon, e.raw, e.plain,
           e.sparse, e.stated, bound, e.sparse / e.plain, e.sparse / bound);
    fflush(stdout);
  }
}

int main(int argc, char **argv) {
  static table edwards, survey;
  if (argc < 2) {
    fprintf(stderr, "usage: %s DATA [EPSILON...]\n", argv[0]);
    return 2;
  }
  const bool first = load(&edwards, argv[1], "mildew/mildew_cells.csv", "Edwards", 6, true);
  const bool second = load(&survey, argv[1], "nltcs/nltcs.csv", "NLTCS", 16, false);
  if (argc == 2 && first) print_table(&edwards);
  if (argc == 2 && second) print_table(&survey);
  for (int i = 2; i < argc; i++) {
    const double epsilon = strtod(argv[i], NULL);
    for (int k = 0; k < 2; k++) {
      if (!(k ? second : first)) continue;
      const errors e = measure(k ? &survey : &edwards, epsilon, false, k ? 50 : RELEASES);
      printf("%s %g %.9g %.9g %.9g\n", k ? "NLTCS" : "Edwards", epsilon, e.plain, e.sparse,
             e.stated);
    }
  }
  return 0;
}
