#include "tdil_text.h"

#include "cli/core/text.h"

/* "one of 1089 points of a lattice", "a point of the ball that rows lie in". */
static void among(char *text, size_t size, const sfm_probes *p) {
  if (p->points)
    snprintf(text, size, "one of %zu %s", p->points,
             p->lattice ? "points of a lattice" : "Sobol points");
  else
    snprintf(text, size, "a point of the ball that rows lie in");
}

void tdil_print_rounds(FILE *out, const sfm_probes *p, size_t machines) {
  char text[512], which[96];
  among(which, sizeof which, p);
  snprintf(text, sizeof text,
           "%zu%s: each chooses %s, where the public machine seems most wrong (epsilon %.4g), and "
           "releases the private one's value there (epsilon %.4g) with noise of its own, of "
           "standard deviation %.4g",
           p->rounds, machines > 1 ? " for every machine" : "", which, p->choosing, p->answering,
           p->deviation);
  text_print_labelled(out, "rounds", text);
  snprintf(text, sizeof text,
           "values would be off by about %.3g (root mean square over the points), of a function "
           "typical of this kernel, which is about %.3g there",
           p->forecast, p->prior);
  text_print_labelled(out, "forecast", text);
  if (p->forecast > 0.9 * p->prior)
    text_print_labelled(
        out, "note",
        "answers so noisy teach next to nothing: a larger --lambda or --epsilon, a --delta "
        "or more rows would help");
  if (!p->points)
    text_print_labelled(
        out, "note",
        "idealised: points of a ball are chosen with doubles, private in exact arithmetic; "
        "--net 1000 chooses among finitely many, hardened");
}
