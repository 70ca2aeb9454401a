#include "kernel_option.h"

#include <math.h>
#include <string.h>

#include "cli/core/options.h"
#include "cli/core/text.h"

sfm_status kernel_option_read(sfm_kernel_family *family, double *bandwidth, const char *text,
                              const char *option, sfm_error *error) {
  const char *colon = strchr(text, ':');
  const size_t length = colon ? (size_t)(colon - text) : strlen(text);
  int found = -1;
  for (int i = SFM_KERNEL_GAUSSIAN; i <= SFM_KERNEL_CAUCHY; i++) {
    const char *name = sfm_kernel_family_name((sfm_kernel_family)i);
    if (strlen(name) == length && strncmp(name, text, length) == 0) found = i;
  }
  if (found < 0)
    return cli_misuse(error,
                      "--%s: '%.*s' is not a kernel; write gaussian, laplacian, matern12, "
                      "matern32, matern52 or cauchy and its bandwidth, for example matern52:0.1",
                      option, (int)(length < 64 ? length : 64), text);
  if (!colon || !text_number(bandwidth, colon + 1) || !isfinite(*bandwidth) || !(*bandwidth > 0))
    return cli_misuse(
        error,
        "--%s: '%.80s' has no bandwidth above zero after a colon; write for example %.*s:0.1",
        option, text, (int)length, text);
  *family = (sfm_kernel_family)found;
  return SFM_OK;
}
