#include "shape_option.h"

#include <string.h>

const cli_option option_shape = {
    "shape", "SHAPE",
    "a public guess of the distribution; it is used to choose method and parameters: uniform, "
    "normal:MEAN:DEVIATION, several of these in equal parts joined by +, one such word per column, "
    "separated by commas; or @FILE, a released density, for example that of a pilot. Privacy does "
    "not depend on it",
    "a reference shape: normal around the middle, with a standard deviation of an eighth of the "
    "width"};

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
