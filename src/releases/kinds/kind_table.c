/* kind_table.c - all kinds of release.  A new kind is a line here and a file that states what it
 * does (releases/core/release_kind.h). */
#include "releases/core/release_kind.h"

const sfmi_release_kind *const sfmi_release_kinds[] = {
    [SFM_KIND_DENSITY] = &sfmi_density_kind,     [SFM_KIND_FUNCTION] = &sfmi_function_kind,
    [SFM_KIND_VECTOR] = &sfmi_vector_kind,       [SFM_KIND_RANGE] = &sfmi_range_kind,
    [SFM_KIND_HISTOGRAM] = &sfmi_histogram_kind, [SFM_KIND_COUNT] = &sfmi_count_kind,
    [SFM_KIND_CHOICE] = &sfmi_choice_kind,       [SFM_KIND_MEAN] = &sfmi_mean_kind,
    [SFM_KIND_MECHANISM] = &sfmi_mechanism_kind, [SFM_KIND_MACHINE] = &sfmi_machine_kind,
};
