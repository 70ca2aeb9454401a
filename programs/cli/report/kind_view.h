/* kind_view.h - what the verbs do with a release, by its kind: one entry per kind in
 * read/kind_view.c. */
#ifndef CLI_KIND_VIEW_H
#define CLI_KIND_VIEW_H

#include <jansson.h>

#include "group_selection.h"

/* What a band says, in words. */
typedef void kind_band(char *buffer, size_t size, const sfm_release *release, const sfm_band *band,
                       bool pointwise);
/* `sfumato show`: the lines that only this kind has. */
typedef void kind_facts(const sfm_release *release, const json_t *summary);
typedef sfm_status kind_show(const sfm_release *release, sfm_error *error);
/* format: that of a value_table. */
typedef sfm_status kind_eval(const sfm_release *release, const group_selection *chosen,
                             const cli_options *options, unsigned format, sfm_error *error);
typedef sfm_status kind_plot(const sfm_release *release, const cli_options *options,
                             sfm_error *error);
/* Synthetic rows: how many, and where they go. */
typedef struct sample_request {
  const char *path;
  unsigned format; /* as above */
  size_t count;
  uint64_t seed;
  bool raw; /* of a table: the counts as they were released */
} sample_request;
typedef sfm_status kind_sample(const sfm_release *release, const group_selection *chosen,
                               const sample_request *asked, sfm_error *error);
typedef sfm_status kind_refine(sfm_release **out, const sfm_release *release,
                               const cli_options *options, sfm_error *error);

/* A function that is NULL is not for the kind. */
typedef struct kind_view {
  bool single;         /* one answer, which `sfumato show` prints: it is not drawn */
  const char *band_of; /* how `sfumato band` begins */
  kind_band *band;     /* NULL: as of a function */
  kind_facts *facts;
  bool noise_in_facts; /* there is no other line on the noise */
  kind_show *contents; /* below all lines */
  kind_show *show;     /* instead of all lines */
  kind_eval *eval;
  kind_plot *plot;
  kind_sample *sample;
  kind_refine *refine;
} kind_view;

const kind_view *kind_view_of(const sfm_release *release);

/* The functions of the table, each defined in the file of its name: the bands in report/,
 * eval_table in read/eval_table.c and so on; those of vectors and single answers in
 * read/eval_numbers.c, the facts of kinds that have few in read/show_facts.c, samples in
 * read/sample_rows.c, refine_table in read/refine_verb.c. */
kind_band table_band, count_band, machine_band, range_band, choice_band, mean_band;
kind_facts show_function, show_vector, show_range, show_choice, show_mean, show_table, show_count,
    show_machine;
kind_show show_table_cells, show_mechanism;
kind_eval eval_function, eval_vector, eval_table, eval_machine, eval_count, eval_choice, eval_mean;
/* plot_groups is that of a function by groups. */
kind_plot plot_function, plot_groups, plot_vector, plot_table, plot_machine, plot_mechanism;
kind_sample sample_density, sample_table;
kind_refine refine_table;

#endif
