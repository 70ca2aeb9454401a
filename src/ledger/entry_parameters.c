#include "entry_parameters.h"

#include <jansson.h>
#include <string.h>

#include "base/text/json.h"
#include "ledger_name.h"
#include "sfumato/account.h"

/* The text of an object, which is taken over. */
static char *print(json_t *object) {
  char *text = object ? sfmi_json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
  json_decref(object);
  return text;
}

/* What a create entry says of its fingerprint. */
static const char sum[] = "sum";

char *sfmi_dataset_describe(const sfm_dataset *dataset) {
  return print(json_pack("{s:s, s:f, s:f, s:s}", "accounting",
                         sfm_accounting_name(dataset->accounting), "epsilon", dataset->epsilon,
                         "delta", dataset->delta, "fingerprint", sum));
}

bool sfmi_dataset_parse(sfm_dataset *out, bool *ordered, const char *parameters) {
  json_t *object = sfmi_json_loads(parameters, JSON_REJECT_DUPLICATES, NULL);
  const char *accounting = NULL, *fingerprint = NULL;
  bool good =
      object && json_unpack(object, "{s:s, s:F, s:F, s?s !}", "accounting", &accounting, "epsilon",
                            &out->epsilon, "delta", &out->delta, "fingerprint", &fingerprint) == 0;
  good = good && (!fingerprint || strcmp(fingerprint, sum) == 0);
  *ordered = !fingerprint;
  bool known = false;
  for (int i = SFM_ACCOUNTING_BASIC; good && i <= SFM_ACCOUNTING_GDP; i++)
    if (strcmp(accounting, sfm_accounting_name((sfm_accounting)i)) == 0) {
      out->accounting = (sfm_accounting)i;
      known = true;
    }
  json_decref(object);
  return good && known;
}

char *sfmi_raise_describe(const char *request, uint64_t generation) {
  return print(json_pack("{s:s, s:I}", "request", request, "generation", (json_int_t)generation));
}

bool sfmi_raise_parse(char request[SFM_REQUEST_MAX + 1], uint64_t *generation,
                      const char *parameters) {
  json_t *object = sfmi_json_loads(parameters, JSON_REJECT_DUPLICATES, NULL);
  const char *text = NULL;
  json_int_t number = 0;
  const bool good =
      object && json_unpack(object, "{s:s, s:I !}", "request", &text, "generation", &number) == 0 &&
      number > 0 && !sfmi_ledger_check_name(text, SFM_REQUEST_MAX, "", NULL);
  if (good) {
    memcpy(request, text, strlen(text) + 1);
    *generation = (uint64_t)number;
  }
  json_decref(object);
  return good;
}
