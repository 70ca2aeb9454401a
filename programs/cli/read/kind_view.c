/* kind_view.c - the one table of kinds in the command (report/kind_view.h).  Where a kind has no
 * function of its own to sample or refine it, that of densities says so. */
#include "cli/report/kind_view.h"

static const kind_view views[] = {
    [SFM_KIND_DENSITY] = {.facts = show_function, .eval = eval_function, .plot = plot_function},
    [SFM_KIND_FUNCTION] = {.facts = show_function, .eval = eval_function, .plot = plot_function},
    [SFM_KIND_VECTOR] = {.facts = show_vector, .eval = eval_vector, .plot = plot_vector},
    [SFM_KIND_RANGE] = {.band_of = "Ranks",
                        .band = range_band,
                        .facts = show_range,
                        .noise_in_facts = true,
                        .eval = eval_function,
                        .plot = plot_function},
    [SFM_KIND_HISTOGRAM] = {.band_of = "Counts",
                            .band = table_band,
                            .facts = show_table,
                            .contents = show_table_cells,
                            .eval = eval_table,
                            .plot = plot_table,
                            .sample = sample_table,
                            .refine = refine_table},
    [SFM_KIND_COUNT] = {.single = true,
                        .band_of = "Count",
                        .band = count_band,
                        .facts = show_count,
                        .eval = eval_count},
    [SFM_KIND_CHOICE] = {.single = true,
                         .band_of = "Score",
                         .band = choice_band,
                         .facts = show_choice,
                         .noise_in_facts = true,
                         .eval = eval_choice},
    [SFM_KIND_MEAN] = {.single = true,
                       .band_of = "Mean",
                       .band = mean_band,
                       .facts = show_mean,
                       .eval = eval_mean},
    [SFM_KIND_MECHANISM] = {.show = show_mechanism, .plot = plot_mechanism},
    [SFM_KIND_MACHINE] = {.band_of = "Machine",
                          .band = machine_band,
                          .facts = show_machine,
                          .eval = eval_machine,
                          .plot = plot_machine},
};

const kind_view *kind_view_of(const sfm_release *release) {
  return &views[sfm_release_kind(release)];
}
