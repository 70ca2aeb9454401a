/* entry_parameters.h - the parameters of a create entry and of a raise entry, as JSON. */
#ifndef SFMI_ENTRY_PARAMETERS_H
#define SFMI_ENTRY_PARAMETERS_H

#include <stdbool.h>
#include <stdint.h>

#include "sfumato/ledger.h"

/* The parameters of a create entry, to be freed; NULL when memory is short.  They say that the
 * fingerprint of the dataset's rows is a sum over records. */
char *sfmi_dataset_describe(const sfm_dataset *dataset);
/* And back.  *ordered: they do not say so, as those of sfumato 0.1; the fingerprint depends on the
 * order of the records. */
bool sfmi_dataset_parse(sfm_dataset *out, bool *ordered, const char *parameters);

/* The parameters of a raise entry, to be freed; NULL when memory is short.  The request is named
 * there and not in the entry's own field, where it could stand once only. */
char *sfmi_raise_describe(const char *request, uint64_t generation);
/* And back. */
bool sfmi_raise_parse(char request[SFM_REQUEST_MAX + 1], uint64_t *generation,
                      const char *parameters);

#endif
