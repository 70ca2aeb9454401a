#include "release_kind.h"

#include <string.h>

const sfmi_release_kind *sfmi_release_kind_of(sfmi_method method) {
  for (const sfmi_release_kind *const *kind = sfmi_release_kinds; *kind; kind++)
    if (method >= (*kind)->first && method <= (*kind)->last) return *kind;
  return NULL;
}

const sfmi_release_kind *sfmi_release_kind_named(sfmi_method *method, const char *name,
                                                 const char *word) {
  for (const sfmi_release_kind *const *kind = sfmi_release_kinds; *kind; kind++) {
    if (strcmp(sfm_kind_name((*kind)->kind), name) != 0) continue;
    *method = SFMI_NO_METHOD;
    for (sfmi_method m = (*kind)->first; m <= (*kind)->last; m++)
      if (strcmp(sfmi_method_name(m), word) == 0) *method = m;
    return *kind;
  }
  return NULL;
}
