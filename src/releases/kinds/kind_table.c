/* kind_table.c - the kinds of release that are no function, vector or range.  A new kind is a line
 * here and a file that states what it does (releases/core/release_kind.h). */
#include "histogram_kind.h"
#include "choice_kind.h"
#include "mechanism_kind.h"
#include "count_kind.h"
#include "mean_kind.h"
#include "machine_kind.h"

const sfmi_release_kind *const sfmi_release_kinds[] = {
    &sfmi_histogram_kind,
    &sfmi_choice_kind,
    &sfmi_mechanism_kind,
    &sfmi_count_kind,
    &sfmi_mean_kind,
    &sfmi_machine_kind,
    NULL,
};
