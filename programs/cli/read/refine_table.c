#include "cli/report/kind_view.h"

#include <math.h>
#include <string.h>

#include "cli/core/text.h"
#include "sfumato/crosstab.h"
#include "sfumato/refine.h"

/* What is asked for; nothing: all that no assumption is needed for. */
sfm_status refine_table(sfm_release **out, const sfm_release *release, const cli_options *options,
                        sfm_error *error) {
  const char *total = options_get(options, "total");
  sfm_table_refine_settings settings = {.size = sizeof(sfm_table_refine_settings),
                                        .nonnegative = options_has(options, "nonnegative"),
                                        .total = total != NULL,
                                        .consistent = options_has(options, "consistent")};
  unsigned way = 0;
  if (options_has(options, "shrink") || options_has(options, "normalise"))
    return cli_misuse(error, "--shrink and --normalise are for densities; a histogram has "
                             "--nonnegative, --total, --monotone and --consistent");
  sfm_status status = options_take(options, &way, "monotone", error);
  if (!status && options_has(options, "monotone")) settings.monotone = way ? -1 : 1;
  if (!status && total && strcmp(total, "keep") != 0 &&
      !(text_number(&settings.stated, total) && isfinite(settings.stated) && settings.stated > 0))
    status = cli_misuse(
        error, "--total %s is neither keep nor a positive number; for example --total keep", total);
  if (status) return status;
  if (!settings.nonnegative && !settings.total && !settings.consistent && !settings.monotone)
    settings = sfm_table_refine_settings_default(release);
  return sfm_table_refine(out, release, &settings, error);
}
