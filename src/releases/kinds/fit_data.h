/* fit_data.h - what the coefficients of a machine of the methods tddl, tdil and interactive were
 * fitted to: answers that had noise, which are not in the file.  Fitting is post-processing.
 *
 * The noise of the file (law, scale, step) is that of one answer. */
#ifndef SFMI_FIT_DATA_H
#define SFMI_FIT_DATA_H

#include "releases/core/json_members.h"
#include "sfumato/machine.h"

/* What had noise: values of the machine one by one; all of them with noise of one scale; or their
 * coordinates in the kernel's space, so that the noise of the values is shaped like the kernel. */
typedef enum sfmi_fit_shape {
  SFMI_FIT_VALUES,
  SFMI_FIT_ISOTROPIC,
  SFMI_FIT_KERNEL,
} sfmi_fit_shape;

/* A fit of that shape to no answers.  Its other numbers are NaN, as those are that do not belong to
 * the method, and null in the file. */
sfm_machine_fit sfmi_fit_of(sfmi_fit_shape shape);

/* The member "fit" of a file. */
extern const sfmi_member sfmi_fit_members[];

#endif
