/* engines.h - what field.c knows of each engine. */
#ifndef SFMI_ENGINES_H
#define SFMI_ENGINES_H

#include "fields/field.h"

/* An engine's own state begins with this. */
struct sfmi_field {
  size_t count;   /* places */
  size_t normals; /* of a path */
  double nugget;
  double excess;
  void (*path)(sfmi_field *field, double *path, double *normals);
  void (*destroy)(sfmi_field *field);
};

/* Each of them: kernel and places suit, nugget >= 0. */
SFM_MUST_CHECK sfm_status sfmi_spectral_create(sfmi_field **out, const sfm_kernel *kernel,
                                               const sfmi_places *places, double nugget,
                                               sfm_error *error);
SFM_MUST_CHECK sfm_status sfmi_circulant_create(sfmi_field **out, const sfm_kernel *kernel,
                                                const sfmi_places *places, double nugget,
                                                sfm_error *error);
SFM_MUST_CHECK sfm_status sfmi_markov_create(sfmi_field **out, const sfm_kernel *kernel,
                                             const sfmi_places *places, double nugget,
                                             sfm_error *error);
SFM_MUST_CHECK sfm_status sfmi_gram_create(sfmi_field **out, const sfm_kernel *kernel,
                                           const sfmi_places *places, double nugget,
                                           sfm_error *error);

#endif
