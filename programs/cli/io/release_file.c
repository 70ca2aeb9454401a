#include "release_file.h"

sfm_status release_file_read(sfm_release **out, const cli_options *options, const char *path,
                             sfm_error *error) {
  const sfm_resource_limits limits = options_has(options, "allow-large")
                                         ? sfm_resource_limits_none()
                                         : sfm_resource_limits_default();
  return sfm_release_read_within(out, path, &limits, error);
}
