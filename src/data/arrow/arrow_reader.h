/* arrow_reader.h - records of an Arrow stream.
 *
 *  1. The stream is released once, and so is every chunk.
 *  2. A chunk that does not fit the schema of the stream fails; no cell does.
 *  3. Nothing that the stream says of its failure is repeated: it may quote a record. */
#ifndef SFMI_ARROW_READER_H
#define SFMI_ARROW_READER_H

#include "data/format/row_reader.h"
#include "sfumato/arrow.h"

typedef struct sfmi_arrow_reader sfmi_arrow_reader;

/* Moves the stream, also on failure.  *names become the names of its columns, count of them: an
 * array the caller frees, of texts that belong to the reader. */
SFM_MUST_CHECK sfm_status sfmi_arrow_reader_open(sfmi_arrow_reader **out, const char ***names,
                                                 size_t *count, struct ArrowArrayStream *stream,
                                                 sfm_arrow_chunks chunks, sfm_error *error);

extern const sfmi_reader_ops sfmi_arrow_reader_ops;

#endif
