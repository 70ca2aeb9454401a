/* release_kind.h - releases that are no function, vector or range: what each of these kinds adds to
 * the file, and how it is read back, checked and bounded.
 *
 * A kind is one line of the table in releases/kinds/kind_table.c.  Its methods belong to it alone,
 * so that the method of a release says its kind; two kinds may have methods of the same word. */
#ifndef SFMI_RELEASE_KIND_H
#define SFMI_RELEASE_KIND_H

#include <stdio.h>

#include "release_data.h"
#include "json_members.h"

typedef struct sfmi_release_kind {
  sfm_kind kind;
  sfmi_method first, last; /* its methods */
  bool empty;              /* it may have no coefficients */
  bool bandless;           /* it has no band: null in the file, NaN in memory */
  bool scaleless;          /* the scale of its noise is not told: null in the file, infinite here */
  const char *verbs;       /* for messages: what can be done with it instead of evaluating it */
  /* Members of the file beside those that all releases have; false when a text is not UTF-8 or
   * memory is short. */
  bool (*set)(json_t *object, const sfm_release *release);
  /* Long lists, each written as ",\n \"key\": [...]"; NULL: none. */
  void (*print)(FILE *stream, const sfm_release *release);
  /* The plain sentence for its guarantee, to be freed; NULL: that of all others. */
  char *(*sentence)(const sfm_release *release);
  /* After everything common, coefficients included, has been read. */
  sfm_status (*read)(const sfmi_parse_context *at, sfm_release *release, const json_t *root);
  /* Whether everything else may rely on it; name is for messages. */
  sfm_status (*check)(const sfm_release *release, const char *name, sfm_error *error);
  /* What the guarantee takes the owner's word for, as a sentence after a blank, or ""; NULL:
   * nothing beside what all releases do. */
  const char *(*assumption)(const sfm_release *release);
  /* Frees what the release has of this kind, which may be NULL or half read, whatever its method;
   * NULL: there is nothing. */
  void (*destroy)(sfm_release *release);
  /* NULL when bandless. */
  sfm_status (*band)(sfm_band *band, const sfm_release *release, double confidence,
                     sfm_error *error);
} sfmi_release_kind;

/* All of them, NULL at the end (releases/kinds/kind_table.c). */
extern const sfmi_release_kind *const sfmi_release_kinds[];

/* NULL: a function, a vector or a range. */
const sfmi_release_kind *sfmi_release_kind_of(sfmi_method method);
/* By the words of the file; *method is set.  NULL when no special kind is called so; the method is
 * then unchanged.  A kind with a method it does not have: *method is SFMI_NO_METHOD. */
const sfmi_release_kind *sfmi_release_kind_named(sfmi_method *method, const char *name,
                                                 const char *word);

#endif
