/* thesis_2_4.c - figure 2.4 of Hall's thesis: errors of the table of the National Long Term Care
 * Survey, 2^16 cells of which 3152 are occupied, n = 21574, with Laplace noise and sparse.
 *
 *   thesis_2_4 FOLDER [RELEASES]
 *
 * The thesis has 1,000 releases at each epsilon, and names no epsilons; here they go from 0.1 to 2,
 * and 20 releases are enough: an error is the sum of 65536 (bench/run tables has the thousand).  It
 * says that "the thresholded sparse histogram massively improves the error rate". */
#include <math.h>
#include <stdio.h>

#include "mixture.h"
#include "sparsity.h"

enum { RELEASES = 20 };
/* What "massively" is taken to mean. */
static const double MASSIVELY = 4;

static void print_verdict(const sparsity_errors *e, bool bounded) {
  double least = INFINITY, most = 0;
  for (size_t i = 0; i < SPARSITY_EPSILONS; i++) {
    const double ratio = e->plain[i] / e->sparse[i];
    least = fmin(least, ratio);
    most = fmax(most, ratio);
  }
  printf("claim \"massively improves the error rate\": %s, %.1f to %.1f times less (%g wanted)\n",
         least >= MASSIVELY ? "held" : "did not hold", least, most, MASSIVELY);
  printf("figure 2.4: %s\n",
         least >= MASSIVELY && bounded ? "the claims held" : "the claims did NOT hold");
}

int main(int count, char **words) {
  const char *folder;
  size_t releases;
  sparsity_table t;
  sparsity_errors e;
  sfm_error error;
  if (!mixture_arguments(&folder, &releases, count, words, RELEASES)) return 2;
  if (!sparsity_load(&t, "nltcs/nltcs.csv", 16, false, "2.4")) {
    sparsity_clear(&t);
    return 0;
  }
  sfm_status status = sparsity_measure(&e, &t, releases, &error);
  if (!status)
    status = sparsity_draw(&e, folder, "2.4",
                           "Figure 2.4: errors of the National Long Term Care Survey", &error);
  if (status) {
    fprintf(stderr, "thesis_2_4: %s\n", error.message);
    return 1;
  }
  if (!sparsity_write(&e, folder, "2.4")) return 1;
  sparsity_print(&e, &t, "2.4", releases);
  print_verdict(&e, sparsity_bounded(&e));
  sparsity_clear(&t);
  return 0;
}
