/* forecasts.c - what plans predict against what releases then miss: densities, maps, series, mean
 * curves; what auto chooses against the best method in hindsight; and how long planning takes.
 *
 * A cell is a shape, a number of records, an epsilon and an entry of a plan.  Records are drawn
 * from the shape, and releases of the entry's parameters are compared on a fine grid over the
 * domain with the shape (the total) and with the estimate without privacy (the cost).  A cell is
 * inside when the means lie in the intervals that the plan states for one release.  Up to 10^4
 * records every release has rows of its own; of 10^5 there are 50 sets, of 10^6 there are 20, each
 * released several times.  The first release of a cell is made by the library's public face; the
 * others repeat its last steps, rows and noise, without computing the band again, and the first of
 * them must be the same function.
 *
 * Usage: bench_forecasts [--cells] [--file FILE] [--only TEXT] [RELEASES [WHAT...]]
 *   RELEASES  of every cell: 200
 *   WHAT      densities edges maps hull series curves time; all of them
 *   --cells   a line for every cell, with the parts of the error as predicted/measured
 *   --file    what was measured is kept there, and not measured again: a run that was stopped goes
 *             on where it was, and a plan that changed is compared anew
 *   --only    cells that have this in their line, such as "| sobolev" or "pilot 1000 " */
#include <stdlib.h>
#include <string.h>

#include "forecasts/simulation.h"

int main(int count, char **words) {
  static const struct {
    const char *name;
    void (*run)(bench *);
  } parts[] = {{"densities", bench_densities}, {"edges", bench_edges},   {"maps", bench_maps},
               {"hull", bench_hull},           {"series", bench_series}, {"curves", bench_curves}};
  bench b = {.releases = 200};
  int at = 1;
  for (; at < count && words[at][0] == '-'; at++) {
    if (strcmp(words[at], "--cells") == 0)
      b.print_cells = true;
    else if (strcmp(words[at], "--file") == 0 && at + 1 < count)
      read_records(&b, words[++at]);
    else if (strcmp(words[at], "--only") == 0 && at + 1 < count)
      b.only = words[++at];
    else
      must(false,
           "usage: bench_forecasts [--cells] [--file FILE] [--only TEXT] [RELEASES [WHAT...]]");
  }
  if (at < count) b.releases = strtoul(words[at++], NULL, 10);
  must(b.releases >= 2, "at least 2 releases");
  check_estimate();
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    bool asked = at >= count;
    for (int k = at; k < count; k++) asked |= strcmp(words[k], parts[i].name) == 0;
    if (asked) parts[i].run(&b);
  }
  if (b.cell_count) {
    print_summary(&b);
    print_auto(&b);
  }
  bool timed = at >= count;
  for (int k = at; k < count; k++) timed |= strcmp(words[k], "time") == 0;
  if (timed) bench_time();
  return 0;
}
