/* fit_data.h - what the coefficients of a machine of the methods tddl, tdil and interactive were
 * fitted to: answers that had noise, which are not in the file.  Fitting is post-processing.
 *
 * The noise of the file (law, scale, step) is that of one answer. */
#ifndef SFMI_FIT_DATA_H
#define SFMI_FIT_DATA_H

#include <math.h>
#include <stddef.h>

#include "releases/core/json_members.h"

/* What had noise: values of the machine one by one; all of them with noise of one scale; or their
 * coordinates in the kernel's space, so that the noise of the values is shaped like the kernel. */
typedef enum sfmi_fit_shape {
  SFMI_FIT_VALUES,
  SFMI_FIT_ISOTROPIC,
  SFMI_FIT_KERNEL,
} sfmi_fit_shape;

/* Numbers that do not belong to the method are NaN, and null in the file. */
typedef struct sfmi_fit {
  sfmi_fit_shape shape;
  uint64_t answers; /* that had noise, of a function */
  double radius;    /* tddl: no function is longer than this in the kernel's space */
  double ridge;     /* tdil, interactive: the diagonal that was added to the kernel's matrix */
  double rms;       /* tddl: how far the values at the points are at most from those without noise,
                       root mean square, with the band's confidence */
  uint64_t rounds;  /* tdil, interactive: that were paid for; else 0 */
  double choosing;  /* tdil: epsilon of choosing a point, a round */
  double watching;  /* interactive: epsilon of the noisy threshold, a round */
  double comparing; /* interactive: epsilon of the comparisons with it, a round */
  double answering; /* tdil, interactive: epsilon of an answer */
  double threshold; /* interactive: how far the public model may be off */
} sfmi_fit;

static inline sfmi_fit sfmi_fit_none(void) {
  return (sfmi_fit){.radius = NAN,
                    .ridge = NAN,
                    .rms = NAN,
                    .choosing = NAN,
                    .watching = NAN,
                    .comparing = NAN,
                    .answering = NAN,
                    .threshold = NAN};
}

/* "values", "isotropic", "kernel". */
const char *sfmi_fit_name(sfmi_fit_shape shape);

/* The member "fit" of a file. */
extern const sfmi_member sfmi_fit_members[];

#endif
