#include "release_file.h"

const cli_option option_large = {"allow-large", NULL,
                                 "no limit on memory and time; without it a file that needs much "
                                 "more than its size suggests is refused"};

sfm_status release_file_read(sfm_release **out, const cli_options *options, const char *path,
                             sfm_error *error) {
  const sfm_resource_limits limits = options_has(options, "allow-large")
                                         ? sfm_resource_limits_none()
                                         : sfm_resource_limits_default();
  return sfm_release_read_within(out, path, &limits, error);
}
