/* machine_fit_text.h - in words: a machine that was fitted to noisy answers, or trained from Gram
 * matrices. */
#ifndef CLI_MACHINE_FIT_TEXT_H
#define CLI_MACHINE_FIT_TEXT_H

#include <stdbool.h>

#include "sfumato/machine.h"

/* What a machine was fitted to; false when it was not fitted to answers. */
bool machine_fit_text(char *buffer, size_t size, const sfm_release *release);
/* What is known of its errors instead of a band; false as above. */
bool machine_fit_band_text(char *buffer, size_t size, const sfm_release *release);

/* Whether it was trained from Gram matrices: its coordinates are K with the public points. */
bool machine_is_gram(const sfm_machine *machine);
/* Fails because such a machine cannot do `what`, and says how it is evaluated. */
SFM_MUST_CHECK sfm_status machine_gram_fail(const char *what, const sfm_machine *machine,
                                            sfm_error *error);

#endif
