#include "tdil_text.h"

#include "cli/core/text.h"

/* "one of 1089 points of a lattice", "a point in the ball of possible rows". */
static void among(char *text, size_t size, const sfm_probes_plan *p) {
  if (p->points)
    snprintf(text, size, "one of %zu %s", p->points,
             p->lattice ? "points of a lattice" : "Sobol points");
  else
    snprintf(text, size, "a point in the ball of possible rows");
}

void tdil_print_rounds(FILE *out, const sfm_probes_plan *p, size_t machines) {
  char which[96];
  among(which, sizeof which, p);
  text_say(out, "rounds",
           "%zu%s: each round chooses %s where the public machine seems most wrong (epsilon %.4g), "
           "and releases the value of the private machine there (epsilon %.4g) with fresh noise of "
           "standard deviation %.4g",
           p->rounds, machines > 1 ? " for every machine" : "", which, p->choosing, p->answering,
           p->deviation);
  text_say(out, "forecast",
           "values would be off by about %.3g (root mean square over the points), for a typical "
           "function of this kernel, whose values are about %.3g there",
           p->forecast, p->prior);
  if (p->forecast > 0.9 * p->prior)
    text_print_labelled(out, "note",
                        "with so much noise almost nothing is learned: a larger --lambda or "
                        "--epsilon, a --delta or more rows would help");
  if (!p->points)
    text_print_labelled(
        out, "note",
        "idealised: points of a ball are chosen with floating-point numbers, and the proof holds "
        "in exact arithmetic; --net 1000 chooses among finitely many points, hardened");
}
