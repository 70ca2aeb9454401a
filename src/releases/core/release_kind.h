/* release_kind.h - the kinds of release: what each adds to the file, and how it is read back,
 * checked and bounded.
 *
 * A kind is a file of releases/kinds, which defines one of the structures below, and a line of
 * kind_table.c.  Methods belong to kinds; two kinds may have methods of the same word. */
#ifndef SFMI_RELEASE_KIND_H
#define SFMI_RELEASE_KIND_H

#include <stdio.h>

#include "release_data.h"
#include "json_members.h"

/* The .sfm file, version 1 (docs/format.md, docs/release.schema.json). */
#define SFMI_FORMAT_NAME "sfumato-release"
#define SFMI_FORMAT_VERSION 1

struct sfmi_release_kind {
  sfm_kind kind;
  uint32_t methods;  /* a bit for each that it has */
  size_t at;         /* where in a release the pointer to its body is; none without destroy */
  size_t body;       /* bytes of the body of a new release; 0: it is made later */
  bool empty;        /* it may have no coefficients */
  bool refinable;    /* it may be refined */
  bool bandless;     /* it has no band: null in the file, NaN in memory */
  bool scaleless;    /* the scale of its noise is not told: null in the file, infinite here */
  const char *verbs; /* for messages: what can be done with it; NULL: it is a function */
  /* Members of the file beside those that all releases have; false when a text is not UTF-8 or
   * memory is short. */
  bool (*set)(json_t *object, const sfm_release *release);
  /* What a summary has beside; NULL: nothing. */
  void (*summarise)(json_t *object, const sfm_release *release);
  /* Long lists, each written as ",\n \"key\": [...]"; NULL: none. */
  void (*print)(FILE *stream, const sfm_release *release);
  /* The plain sentence for its guarantee, to be freed; NULL: that of all others. */
  char *(*sentence)(const sfm_release *release);
  /* After everything common, coefficients included, has been read. */
  sfm_status (*read)(const sfmi_parse_context *at, sfm_release *release, const json_t *root);
  /* Whether everything else may rely on it; name is for messages.  NULL: always. */
  sfm_status (*check)(const sfm_release *release, const char *name, sfm_error *error);
  /* What the guarantee takes the owner's word for, as a sentence after a blank, or ""; NULL:
   * nothing beside what all releases do. */
  const char *(*assumption)(const sfm_release *release);
  /* What a copy without coefficients keeps of the body; false when memory is short.  NULL:
   * nothing. */
  bool (*copy)(sfm_release *copy, const sfm_release *release);
  /* Frees the body, which is there, but may be half read. */
  void (*destroy)(sfm_release *release);
  /* NULL when bandless. */
  sfm_status (*band)(sfm_band *band, const sfm_release *release, double confidence,
                     sfm_error *error);
};

/* By sfm_kind (releases/kinds/kind_table.c). */
extern const sfmi_release_kind *const sfmi_release_kinds[];

/* Each is defined in the file of its name in releases/kinds, density beside function. */
extern const sfmi_release_kind sfmi_density_kind, sfmi_function_kind, sfmi_vector_kind,
    sfmi_range_kind, sfmi_histogram_kind, sfmi_count_kind, sfmi_choice_kind, sfmi_mean_kind,
    sfmi_mechanism_kind, sfmi_machine_kind;

/* Plain members that all releases have: of "guarantee" and "noise", whose structure is the release,
 * and of "band", whose structure is a sfm_band. */
extern const sfmi_member sfmi_guarantee_members[], sfmi_noise_members[], sfmi_band_members[];
/* "outside". */
extern const sfmi_member sfmi_outside_member[];
/* "rows", absent where the number of rows is not public. */
void sfmi_release_set_rows(json_t *object, const sfm_release *release);
SFM_MUST_CHECK sfm_status sfmi_release_read_rows(const sfmi_parse_context *at, sfm_release *release,
                                                 const json_t *root);
/* "domain": the columns with their bounds and boundaries; at most so many. */
bool sfmi_release_set_domain(json_t *object, const sfm_release *release);
SFM_MUST_CHECK sfm_status sfmi_release_read_domain(const sfmi_parse_context *at,
                                                   sfm_release *release, const json_t *root,
                                                   size_t most);

/* Writes the plain sentence for the guarantee, from nothing but the members that state it, in place
 * of the one there is: first what it does for a person among the rows, then the numbers
 * (release_sentence.c).  False when memory is short. */
bool sfmi_release_write_sentence(sfm_release *release);
/* Whether everything else may rely on sizes and numbers (the invariants of release_data.h); name is
 * for messages. */
SFM_MUST_CHECK sfm_status sfmi_release_check(const sfm_release *release, const char *name,
                                             sfm_error *error);

#endif
