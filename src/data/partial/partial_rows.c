/* partial_rows.c - rows that stand for a partial. */
#include "data/rows/rows_state.h"
#include "partial.h"

static void close_reader(void *reader) {
  (void)reader;
}

static void set_digest(void *reader, sfmi_digest *digest) {
  (void)reader;
  (void)digest;
}

/* How its ids were compared; there is nothing else to ask for. */
static const sfmi_reader_ops ops = {.form = SFMI_CELL_FORM_TEXT,
                                    .name = "the partial",
                                    .close = close_reader,
                                    .digest = set_digest},
                             valued_ops = {.form = SFMI_CELL_FORM_VALUE,
                                           .name = "the partial",
                                           .close = close_reader,
                                           .digest = set_digest};

sfm_status sfm_rows_from_partial(sfm_rows **out, const sfm_partial *partial, sfm_error *error) {
  *out = NULL;
  if (!partial) return sfmi_fail(error, SFM_INVALID, "the partial is NULL");
  sfm_rows *rows = sfmi_alloc(1, sizeof *rows);
  if (!rows) return sfmi_fail_memory(error);
  rows->partial = partial;
  rows->ops = partial->valued ? &valued_ops : &ops;
  rows->records = partial->rows;
  rows->counted = true;
  *out = rows;
  return SFM_OK;
}
