#include "releases/core/release_kind.h"

#include <string.h>

#include "mean_kind.h"
#include "choice_kind.h"
#include "histogram_kind.h"
#include "mechanism_kind.h"
#include "count_kind.h"
#include "machine_kind.h"

static const sfmi_release_kind kinds[] = {
    {.kind = "histogram",
     .first = SFMI_TABLE_LAPLACE,
     .last = SFMI_TABLE_UNDECLARED,
     .empty = true,
     .verbs = "`sfumato eval` prints its cells, `sfumato margin` adds them up",
     .set = sfmi_histogram_kind_set,
     .print = sfmi_histogram_kind_print,
     .read = sfmi_histogram_kind_read,
     .check = sfmi_histogram_kind_check,
     .band = sfmi_histogram_kind_band},
    {.kind = "choice",
     .first = SFMI_CHOICE_EXPONENTIAL,
     .last = SFMI_CHOICE_EXPONENTIAL,
     .verbs = "`sfumato show` says which candidate was chosen",
     .set = sfmi_choice_kind_set,
     .read = sfmi_choice_kind_read,
     .check = sfmi_choice_kind_check,
     .band = sfmi_choice_kind_band},
    {.kind = "mechanism",
     .first = SFMI_MECHANISM_OPTIMAL,
     .last = SFMI_MECHANISM_OPTIMAL,
     .empty = true,
     .bandless = true,
     .verbs = "`sfumato verify` checks it, `sfumato count` answers with it",
     .set = sfmi_mechanism_kind_set,
     .print = sfmi_mechanism_kind_print,
     .sentence = sfmi_mechanism_kind_sentence,
     .read = sfmi_mechanism_kind_read,
     .check = sfmi_mechanism_kind_check},
    {.kind = "count",
     .first = SFMI_COUNT_GEOMETRIC,
     .last = SFMI_COUNT_OPTIMAL,
     .scaleless = true,
     .verbs = "it is one number, which `sfumato show` prints",
     .set = sfmi_count_kind_set,
     .print = sfmi_count_kind_print,
     .read = sfmi_count_kind_read,
     .check = sfmi_count_kind_check,
     .band = sfmi_count_kind_band},
    {.kind = "mean",
     .first = SFMI_MEAN_EMPIRICAL,
     .last = SFMI_MEAN_EMPIRICAL,
     .bandless = true,
     .scaleless = true,
     .verbs = "it is one number, which `sfumato show` prints",
     .set = sfmi_mean_kind_set,
     .read = sfmi_mean_kind_read,
     .check = sfmi_mean_kind_check},
    {.kind = "machine",
     .first = SFMI_MACHINE_GP,
     .last = SFMI_MACHINE_INTERACTIVE,
     .verbs =
         "`sfumato eval --points` tells its values and classes, `sfumato plot --axes` draws it",
     .set = sfmi_machine_kind_set,
     .print = sfmi_machine_kind_print,
     .read = sfmi_machine_kind_read,
     .check = sfmi_machine_kind_check,
     .band = sfmi_machine_kind_band},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

const sfmi_release_kind *sfmi_release_kind_of(sfmi_method method) {
  for (size_t i = 0; i < KINDS; i++)
    if (method >= kinds[i].first && method <= kinds[i].last) return &kinds[i];
  return NULL;
}

const sfmi_release_kind *sfmi_release_kind_named(sfmi_method *method, const char *kind,
                                                 const char *word) {
  for (size_t i = 0; i < KINDS; i++) {
    if (strcmp(kinds[i].kind, kind) != 0) continue;
    *method = SFMI_NO_METHOD;
    for (sfmi_method m = kinds[i].first; m <= kinds[i].last; m++)
      if (strcmp(sfmi_method_name(m), word) == 0) *method = m;
    return &kinds[i];
  }
  return NULL;
}
