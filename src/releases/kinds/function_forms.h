/* function_forms.h - how the coefficients of a function make the function, in the file: a lattice,
 * a torus, a basis, values at places, or the grid of a refined density (sfmi_form). */
#ifndef SFMI_FUNCTION_FORMS_H
#define SFMI_FUNCTION_FORMS_H

#include "releases/core/release_kind.h"

/* As in release_kind.h; print may be NULL.  Domain, kernel, bandwidths, engine and groups are read
 * before. */
typedef struct sfmi_function_form {
  void (*set)(json_t *object, const sfm_release *release);
  void (*print)(FILE *stream, const sfm_release *release);
  sfm_status (*read)(const sfmi_parse_context *at, sfm_release *release, const json_t *root);
  sfm_status (*check)(const sfm_release *release, const char *name, sfm_error *error);
} sfmi_function_form;

const sfmi_function_form *sfmi_function_form_of(const sfm_release *release);
/* The noisy sizes of groups: in a refined release, and in summaries. */
void sfmi_function_set_sizes(json_t *object, const sfm_release *release);

#endif
