#include "shape_option.h"

#include <string.h>

sfm_status shape_option_read(sfm_shape **out, size_t dimension, const cli_options *options,
                             sfm_error *error) {
  const char *text = options_get(options, "shape");
  *out = NULL;
  if (!text) return SFM_OK;
  if (strcmp(text, "@") == 0 || strcmp(text, "@-") == 0)
    return cli_misuse(error, "--shape: after @ write the name of a file, a released density; write "
                             "for example --shape @pilot.sfm");
  return sfm_shape_parse(out, text, dimension, error);
}
