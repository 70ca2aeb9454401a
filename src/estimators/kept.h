/* kept.h - lines of a kernel's matrix, kept while there is room: the latest used stay.  How much
 * room there is follows from the number of rows alone.  PRIVATE: wiped when destroyed. */
#ifndef SFMI_KEPT_H
#define SFMI_KEPT_H

#include "estimators/similar.h"

/* Most bytes of all lines, unless SFMI_KEPT_LEAST of them need more. */
#define SFMI_KEPT_BYTES ((size_t)1 << 30)
#define SFMI_KEPT_LEAST ((size_t)256)

typedef struct sfmi_kept sfmi_kept;

/* For lines of `count` numbers, one for each of as many rows; room for as many as the bytes allow,
 * or for so many.  NULL when memory is short. */
sfmi_kept *sfmi_kept_create(size_t count);
sfmi_kept *sfmi_kept_create_for(size_t count, size_t room);
void sfmi_kept_destroy(sfmi_kept *lines);
/* How many there is room for. */
size_t sfmi_kept_room(const sfmi_kept *lines);

/* out[i]: the line of row which[i], valid until the next call; no row twice, and no more than there
 * is room for. */
void sfmi_kept_get(sfmi_kept *lines, const float **out, const sfmi_similar *similar,
                   sfmi_team *team, const size_t *which, size_t count);

#endif
