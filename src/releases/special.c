#include "releases/special.h"

#include <string.h>

#include "releases/average.h"
#include "releases/ballot.h"
#include "releases/cells.h"
#include "releases/workings.h"
#include "releases/headcount.h"
#include "releases/learned.h"

static const sfmi_special kinds[] = {
    {.kind = "histogram",
     .first = SFMI_TABLE_LAPLACE,
     .last = SFMI_TABLE_UNDECLARED,
     .empty = true,
     .verbs = "`sfumato eval` prints its cells, `sfumato margin` adds them up",
     .set = sfmi_cells_set,
     .print = sfmi_cells_print,
     .read = sfmi_cells_read,
     .check = sfmi_cells_check,
     .band = sfmi_cells_band},
    {.kind = "choice",
     .first = SFMI_CHOICE_EXPONENTIAL,
     .last = SFMI_CHOICE_EXPONENTIAL,
     .verbs = "`sfumato show` says which candidate was chosen",
     .set = sfmi_ballot_set,
     .read = sfmi_ballot_read,
     .check = sfmi_ballot_check,
     .band = sfmi_ballot_band},
    {.kind = "mechanism",
     .first = SFMI_MECHANISM_OPTIMAL,
     .last = SFMI_MECHANISM_OPTIMAL,
     .empty = true,
     .bandless = true,
     .verbs = "`sfumato verify` checks it, `sfumato count` answers with it",
     .set = sfmi_workings_set,
     .print = sfmi_workings_print,
     .sentence = sfmi_workings_sentence,
     .read = sfmi_workings_read,
     .check = sfmi_workings_check},
    {.kind = "count",
     .first = SFMI_COUNT_GEOMETRIC,
     .last = SFMI_COUNT_OPTIMAL,
     .scaleless = true,
     .verbs = "it is one number, which `sfumato show` prints",
     .set = sfmi_headcount_set,
     .print = sfmi_headcount_print,
     .read = sfmi_headcount_read,
     .check = sfmi_headcount_check,
     .band = sfmi_headcount_band},
    {.kind = "mean",
     .first = SFMI_MEAN_EMPIRICAL,
     .last = SFMI_MEAN_EMPIRICAL,
     .bandless = true,
     .scaleless = true,
     .verbs = "it is one number, which `sfumato show` prints",
     .set = sfmi_average_set,
     .read = sfmi_average_read,
     .check = sfmi_average_check},
    {.kind = "machine",
     .first = SFMI_MACHINE_GP,
     .last = SFMI_MACHINE_INTERACTIVE,
     .verbs =
         "`sfumato eval --points` tells its values and classes, `sfumato plot --axes` draws it",
     .set = sfmi_learned_set,
     .print = sfmi_learned_print,
     .read = sfmi_learned_read,
     .check = sfmi_learned_check,
     .band = sfmi_learned_band},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

const sfmi_special *sfmi_special_of(sfmi_method method) {
  for (size_t i = 0; i < KINDS; i++)
    if (method >= kinds[i].first && method <= kinds[i].last) return &kinds[i];
  return NULL;
}

const sfmi_special *sfmi_special_named(sfmi_method *method, const char *kind, const char *word) {
  for (size_t i = 0; i < KINDS; i++) {
    if (strcmp(kinds[i].kind, kind) != 0) continue;
    *method = SFMI_NO_METHOD;
    for (sfmi_method m = kinds[i].first; m <= kinds[i].last; m++)
      if (strcmp(sfmi_method_name(m), word) == 0) *method = m;
    return &kinds[i];
  }
  return NULL;
}
