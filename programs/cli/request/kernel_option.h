/* kernel_option.h - a kernel with its bandwidth in one word: matern52:0.1. */
#ifndef CLI_KERNEL_OPTION_H
#define CLI_KERNEL_OPTION_H

#include "sfumato/kernel.h"

/* FAMILY:BANDWIDTH, a family from gaussian to cauchy; option names the option it stands in, in
 * messages. */
SFM_MUST_CHECK sfm_status kernel_option_read(sfm_kernel_family *family, double *bandwidth,
                                             const char *text, const char *option,
                                             sfm_error *error);

#endif
