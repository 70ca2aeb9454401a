#include "ledger_name.h"

#include <stdbool.h>
#include <string.h>

#include "base/text/utf8.h"

sfm_status sfmi_ledger_check_name(const char *name, size_t most, const char *what,
                                  sfm_error *error) {
  size_t length = strnlen(name, most + 1);
  if (length == 0 || length > most)
    return sfmi_fail(error, SFM_INVALID, "a %s has 1 to %zu bytes, this one has %s", what, most,
                     length ? "more" : "none");
  if (name[0] == ' ' || name[length - 1] == ' ')
    return sfmi_fail(error, SFM_INVALID, "a %s does not begin or end with a blank", what);
  bool good = sfmi_utf8_valid(name);
  for (size_t i = 0; i < length; i++)
    if ((unsigned char)name[i] < 0x20 || name[i] == 0x7f) good = false;
  if (good) return SFM_OK;
  return sfmi_fail(error, SFM_INVALID,
                   "a %s is UTF-8 text without control characters; use letters, digits and dashes",
                   what);
}
