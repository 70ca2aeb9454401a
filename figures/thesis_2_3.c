/* thesis_2_3.c - figure 2.3 of Hall's thesis: errors of the Edwards table, 64 cells of which 22 are
 * occupied, n = 70, with Laplace noise and sparse.
 *
 *   thesis_2_3 FOLDER [RELEASES]
 *
 * The thesis has 15,000 releases at each epsilon, and names no epsilons; here they go from 0.1
 * to 2. It says that "the improvement due to using the sparse method is small", and that "this
 * procedure yields a smaller error than Laplace noise addition ... even though for that particular
 * p and q the upper bound shown above is much larger than the 2p/alpha error rate we get from the
 * Laplace noise addition". */
#include <stdio.h>

#include "mixture.h"
#include "sparsity.h"

enum { RELEASES = 300 };

static void print_verdict(const sparsity_errors *e, bool bounded) {
  size_t better = 0;
  double most = 1;
  for (size_t i = 0; i < SPARSITY_EPSILONS; i++) {
    const double ratio = e->plain[i] / e->sparse[i];
    if (better == i && ratio > 1) better++;
    if (ratio > most) most = ratio;
  }
  printf("claim \"a smaller error than Laplace noise addition\": %s up to epsilon %.1f; beyond, "
         "counts are told better with their noise than left out. Error up to %.1f times smaller, "
         "at the smallest epsilon, where hardly anything is listed\n",
         better > 0 ? "held" : "did not hold", 0.1 * (double)better, most);
  printf("figure 2.3: %s\n", bounded && better == SPARSITY_EPSILONS ? "the claims held"
                             : bounded && better > SPARSITY_EPSILONS / 2
                                 ? "the claims held but for the largest epsilons"
                                 : "the claims did NOT hold");
}

int main(int count, char **words) {
  const char *folder;
  size_t releases;
  sparsity_table t;
  sparsity_errors e;
  sfm_error error;
  if (!mixture_arguments(&folder, &releases, count, words, RELEASES)) return 2;
  if (!sparsity_load(&t, "mildew/mildew_cells.csv", 6, true, "2.3")) {
    sparsity_clear(&t);
    return 0;
  }
  sfm_status status = sparsity_measure(&e, &t, releases, &error);
  if (!status)
    status = sparsity_draw(&e, folder, "2.3", "Figure 2.3: errors of the Edwards table", &error);
  if (status) {
    fprintf(stderr, "thesis_2_3: %s\n", error.message);
    return 1;
  }
  if (!sparsity_write(&e, folder, "2.3")) return 1;
  sparsity_print(&e, &t, "2.3", releases);
  print_verdict(&e, sparsity_bounded(&e));
  sparsity_clear(&t);
  return 0;
}
