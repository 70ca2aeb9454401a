/* read_ahead.h - lines of a CSV parsed by several threads, handed out in their order.
 *
 * The caller's thread reads the text, cuts it after every so many lines (as many as a batch has
 * room for), and hands out the batches.  The others, and the caller while it waits, parse the
 * pieces.
 *
 *  1. Batches are those that one thread would make: the same rows in the same order, cut at the
 * same places (unless lines are longer than 16 kB on average).
 *  2. Nothing of a record is looked at before sfmi_read_ahead_next is called.
 *  3. Threads are started only when there is work for them. */
#ifndef SFMI_READ_AHEAD_H
#define SFMI_READ_AHEAD_H

#include "data/format/csv.h"

typedef struct sfmi_read_ahead sfmi_read_ahead;

/* Whether batches of the layout are small enough to have several of them. */
bool sfmi_read_ahead_fits(const sfmi_row_layout *layout);

/* csv stands before the first record; csv and layout are borrowed.  threads: 0 for one per
 * processor. */
SFM_MUST_CHECK sfm_status sfmi_read_ahead_create(sfmi_read_ahead **out, sfmi_csv *csv,
                                                 const sfmi_row_layout *layout, size_t threads,
                                                 sfm_error *error);
/* Waits for the threads. */
void sfmi_read_ahead_destroy(sfmi_read_ahead *ahead);

/* The next batch, inside its domains, which lives until the next call; NULL after the last. */
SFM_MUST_CHECK sfm_status sfmi_read_ahead_next(sfmi_read_ahead *ahead, const sfmi_batch **batch,
                                               sfm_error *error);

#endif
