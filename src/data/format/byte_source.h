/* byte_source.h - bytes that can be read more than once: a file, standard input (spooled), memory;
 * each plain or gzip.
 *
 * Whether a source is gzip is public: it is stated, or taken from the first bytes where these
 * belong to a header and to no record.  In gzip data every byte is written by the compressor, which
 * frames what a record holds: no record can end a member or the file.  Members follow each other;
 * zeros may follow the last (they fill up the blocks of a tape), and anything else is damage.
 *
 * A source hands out the same bytes after every rewind: a file's length is taken when it is opened,
 * and what is appended later is not seen. */
#ifndef SFMI_BYTE_SOURCE_H
#define SFMI_BYTE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/system/status.h"
#include "row_digest.h"

typedef struct sfmi_source sfmi_source;

typedef enum sfmi_packing {
  SFMI_PLAIN,
  SFMI_GZIP,
  SFMI_PACKING_BY_MAGIC, /* whatever the first two bytes are: only where they are public */
} sfmi_packing;

/* Opens path; "-" is standard input.  What is not a regular file is first copied to a temporary
 * file of mode 0600 without a name, in $TMPDIR or /tmp. */
SFM_MUST_CHECK sfm_status sfmi_source_open(sfmi_source **out, const char *path,
                                           sfmi_packing packing, sfm_error *error);

/* The same over bytes in memory, which are borrowed. */
SFM_MUST_CHECK sfm_status sfmi_source_open_memory(sfmi_source **out, const void *bytes, size_t size,
                                                  sfmi_packing packing, sfm_error *error);

void sfmi_source_close(sfmi_source *source);

/* What messages call it: the path, or "standard input". */
const char *sfmi_source_name(const sfmi_source *source);

/* Up to capacity bytes; *got is 0 only at the end. */
SFM_MUST_CHECK sfm_status sfmi_source_read(sfmi_source *source, void *buffer, size_t *got,
                                           size_t capacity, sfm_error *error);

/* The same of a source that is not packed, from an offset, wherever it stands and without the
 * digest. Thread-safe. */
SFM_MUST_CHECK sfm_status sfmi_source_read_at(const sfmi_source *source, void *buffer, size_t *got,
                                              size_t capacity, uint64_t offset, sfm_error *error);

/* Stands at byte offset (of the unpacked bytes) again. */
SFM_MUST_CHECK sfm_status sfmi_source_rewind(sfmi_source *source, uint64_t offset,
                                             sfm_error *error);

/* From here on, feeds what sfmi_source_read hands out to digest (borrowed; NULL: no longer). */
void sfmi_source_digest(sfmi_source *source, sfmi_digest *digest);

/* How many bytes there are; false when that is not known without unpacking them. */
bool sfmi_source_size(const sfmi_source *source, uint64_t *size);

#endif
