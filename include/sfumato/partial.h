/* partial.h - sums over a part of the rows, made where that part is, and merged into one release.
 *
 *   worker i:  sfm_density_partial_create, sfm_partial_add, sfm_partial_write
 *   the owner: sfm_partial_read and sfm_partial_merge for every part, sfm_rows_from_partial,
 *              sfm_density_release
 *
 * A partial is created from the settings of the release.  Rows are added up in integers, so that
 * merging is exact: neither the order of the rows nor how they are split changes the sums, and the
 * release from merged parts is the one from all rows.  It is charged once, by the release, and
 * noise is drawn once, after the last merge.
 *
 * A partial is PRIVATE: it has sums without noise.  Files of it have mode 0600.  It has a state:
 * one thread at a time. */
#ifndef SFUMATO_PARTIAL_H
#define SFUMATO_PARTIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sfumato/count.h"
#include "sfumato/curve.h"
#include "sfumato/density.h"
#include "sfumato/histogram.h"
#include "sfumato/key.h"
#include "sfumato/rows.h"
#include "sfumato/series.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sfm_partial sfm_partial;

/* The largest number of parts, and the size of the name of a job with its NUL. */
#define SFM_PARTS_MAX 1000000000
#define SFM_JOB_MAX 101

/* Which part it is.  All of it is public, and the same for all parts but `number`. */
typedef struct sfm_part {
  size_t size;         /* sizeof(sfm_part), set by sfm_part_default */
  uint64_t number, of; /* part `number` of `of`, from 1; default: 1 of 1 */
  const char *job;     /* what the parts belong to; default: "" */
  /* How many records all parts have together; under add-remove 0, as their number is private. */
  uint64_t rows;
  /* The key of the dataset that the release will be charged to (sfm_ledger_key); NULL: the release
   * cannot be charged.  Needed with schema.person. */
  const sfm_key *key;
} sfm_part;

/* Writes the defaults into a struct of that size; sfm_part_default returns them. */
SFM_API void sfm_part_init(sfm_part *part, size_t size);
SFM_DEFAULT(sfm_part)

/* Creates the partial of a release with these settings, without rows.  context.charge must be NULL.
 * Refused as the release would be: where the settings are wrong, and where a method does not use
 * sums (a bandwidth that is chosen among candidates).  Settings and what they point to are borrowed
 * until sfm_partial_destroy; the key is copied.
 * Privacy: charges nothing and releases nothing.  Proof: docs/proofs/partial.md. */
SFM_API SFM_MUST_CHECK sfm_status sfm_density_partial_create(sfm_partial **out,
                                                             const sfm_density_settings *settings,
                                                             const sfm_part *part,
                                                             sfm_error *error);
SFM_API SFM_MUST_CHECK sfm_status
sfm_histogram_partial_create(sfm_partial **out, const sfm_histogram_settings *settings,
                             const sfm_part *part, sfm_error *error);
SFM_API SFM_MUST_CHECK sfm_status sfm_series_partial_create(sfm_partial **out,
                                                            const sfm_series_settings *settings,
                                                            const sfm_part *part, sfm_error *error);
SFM_API SFM_MUST_CHECK sfm_status sfm_curve_partial_create(sfm_partial **out,
                                                           const sfm_curve_settings *settings,
                                                           const sfm_part *part, sfm_error *error);
SFM_API SFM_MUST_CHECK sfm_status sfm_count_partial_create(sfm_partial **out,
                                                           const sfm_count_settings *settings,
                                                           const sfm_part *part, sfm_error *error);

/* Adds rows.  Without schema.person: all of them, and this may be done again with others.  With
 * schema.person: those of persons who belong to this part, that is, whose keyed hash is `number` -
 * 1 modulo `of`; records of others are ignored, and records without an id belong to part 1.  A part
 * with persons is made in one call, since which records of a person are kept depends on all of
 * them. SFM_INVALID for a partial that was read or merged.  After another failure than of its
 * arguments the partial is as before. */
SFM_API SFM_MUST_CHECK sfm_status sfm_partial_add(sfm_partial *partial, sfm_rows *rows,
                                                  sfm_error *error);

/* Adds another partial to this one.  SFM_INVALID, naming what differs, unless both have the same
 * settings, schema, job, number of parts, key and version of sfumato; also if a part is in both.
 * After a failure the partial is as before. */
SFM_API SFM_MUST_CHECK sfm_status sfm_partial_merge(sfm_partial *partial, const sfm_partial *other,
                                                    sfm_error *error);

/* As bytes (PRIVATE), and back.  The caller frees bytes with sfm_partial_free_bytes, which wipes
 * them.  SFM_FORMAT for bytes that are not a partial of this version.  To a partial that was read
 * from bytes nothing can be added. */
SFM_API SFM_MUST_CHECK sfm_status sfm_partial_to_bytes(const sfm_partial *partial, void **bytes,
                                                       size_t *size, sfm_error *error);
SFM_API void sfm_partial_free_bytes(void *bytes, size_t size);
SFM_API SFM_MUST_CHECK sfm_status sfm_partial_from_bytes(sfm_partial **out, const void *bytes,
                                                         size_t size, sfm_error *error);
/* The same as a file of mode 0600, which appears whole or not at all.  name is what messages call
 * it. */
SFM_API SFM_MUST_CHECK sfm_status sfm_partial_write(const sfm_partial *partial, const char *path,
                                                    sfm_error *error);
SFM_API SFM_MUST_CHECK sfm_status sfm_partial_read(sfm_partial **out, const char *path,
                                                   sfm_error *error);

/* How many of how many parts are in it. */
SFM_API uint64_t sfm_partial_parts(const sfm_partial *partial, uint64_t *of);
/* Which: parts *first to *last are there, and then none before those of i + 1.  False after the
 * last i. */
SFM_API bool sfm_partial_range(const sfm_partial *partial, uint64_t *first, uint64_t *last,
                               size_t i);
/* The smallest number that is not in it; 0 when all are. */
SFM_API uint64_t sfm_partial_missing(const sfm_partial *partial);
/* How many records all parts have together, as stated; 0 under add-remove. */
SFM_API uint64_t sfm_partial_rows(const sfm_partial *partial);
/* What it is a partial of, "density", and all that was stated of it, as JSON.  Public.  Owned by
 * the partial. */
SFM_API const char *sfm_partial_mechanism(const sfm_partial *partial);
SFM_API const char *sfm_partial_settings(const sfm_partial *partial);
/* The job, "" where none was stated; and whether it was made with a key. */
SFM_API const char *sfm_partial_job(const sfm_partial *partial);
SFM_API bool sfm_partial_keyed(const sfm_partial *partial);

/* Wipes and frees it; it may be NULL. */
SFM_API void sfm_partial_destroy(sfm_partial *partial);

/* Rows that stand for a partial (borrowed until sfm_rows_destroy) in the release with the settings
 * it was created with.  They have no records: everything else that reads them fails.  The release
 * refuses, before it is charged, if a part is missing, if the parts do not have as many records as
 * was stated or left out records of persons, if they have sums that records cannot have, if its
 * settings are others, or if its dataset has another key. */
SFM_API SFM_MUST_CHECK sfm_status sfm_rows_from_partial(sfm_rows **out, const sfm_partial *partial,
                                                        sfm_error *error);

/* The most files that rows are divided into. */
#define SFM_SPLIT_MAX 1000

/* Divides a CSV among `parts` new files of mode 0600, which are CSV with the same header: a record
 * goes to the file of the part that its person belongs to (context.schema, which names the person,
 * and the key of the dataset), a record without an id to that of part 1.  So a part made of its
 * file is the part made of all rows.  Lines are copied as they are, but of one longer than a
 * release can read (1 MiB) only the beginning; bytes after the last line end are no record, and are
 * left out. In the pattern, the path of the files, % stands for the number of the part. All files
 * appear, or none; SFM_INVALID if there is a file of such a name.  context.progress may stop it:
 * SFM_STOPPED.  The rows are read once for each 100 parts. Privacy: the files are as private as the
 * rows, and so is how long each of them is. */
SFM_API SFM_MUST_CHECK sfm_status sfm_rows_split(sfm_rows *rows, const sfm_context *context,
                                                 const sfm_key *key, const char *pattern,
                                                 uint64_t parts, sfm_error *error);

#ifdef __cplusplus
}
#endif
#endif
