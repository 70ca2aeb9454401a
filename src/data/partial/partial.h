/* partial.h - sums over some of the parts of the rows, and what says which parts of what they are
 * (internal part of sfumato/partial.h).
 *
 *  1. `settings` is a JSON object, public: all that was stated, and the numbers of the design that
 *     follow.  Sums of different settings are never added.
 *  2. A part's number is in `ranges` at most once; numbers ascend, and ranges do not touch.
 *  3. `sum` has the number of the records of these parts, and with keys their fingerprint.
 *  4. With persons, a part skips records of other parts.  One that skips any is to have read all
 *     records; one that skips none, those of its persons.
 *
 * LAYOUT of the bytes: sfmi_byte_codec words; the mark, version, then the fields as code_partial
 * (partial_bytes.c) names them, and 32 bytes of BLAKE2b over all before. */
#ifndef SFMI_PARTIAL_H
#define SFMI_PARTIAL_H

#include "base/text/person_ids.h"
#include "data/batch/row_hash.h"
#include "sfumato/partial.h"
#include "sums.h"

/* Parts first to last. */
typedef struct sfmi_part_range {
  uint64_t first, last;
} sfmi_part_range;

/* Adds rows to the sums of a partial whose settings are at hand: the mechanism's. */
typedef struct sfmi_partial_maker {
  sfm_status (*add)(void *maker, sfmi_sums *sums, sfm_rows *rows, sfm_error *error);
  void (*destroy)(void *maker);
} sfmi_partial_maker;

struct sfm_partial {
  char *mechanism, *settings;
  char job[SFM_JOB_MAX];
  uint64_t of, rows;
  bool persons; /* the schema names a person: rows are added once */
  bool keyed;   /* made under keys, of which `keys_id` is the public id */
  uint8_t keys_id[SFMI_ROW_KEYS_ID_BYTES];
  bool added;              /* rows were */
  bool valued;             /* some of them, with persons all, are values of a data frame */
  sfmi_part_range *ranges; /* the parts that are in it */
  size_t range_count;
  sfmi_row_sum sum;               /* PRIVATE, as are */
  uint64_t skipped;               /* records of persons of other parts, which parts skipped */
  uint64_t read_least, read_most; /* records read by each part that skipped any; at first none */
  sfmi_sums sums;
  const sfmi_partial_maker *maker_ops; /* NULL: nothing can be added */
  void *maker;
  sfmi_row_keys keys; /* SECRET; while something can be added */
};

/* Settings that differ: SFM_INVALID, naming the first value that does.  name and other_name are
 * what the two are called: "part 1/3" and "part 2/3 has". */
SFM_MUST_CHECK sfm_status sfmi_partial_compare_settings(const char *settings, const char *name,
                                                        const char *other, const char *other_name,
                                                        sfm_error *error);

/* Whether all parts are in it. */
SFM_MUST_CHECK sfm_status sfmi_partial_check_whole(const sfm_partial *partial, sfm_error *error);
/* Whether it has all records: as many as were stated, and of persons those that others skipped. */
SFM_MUST_CHECK sfm_status sfmi_partial_check_records(const sfm_partial *partial, sfm_error *error);

/* Writes a partial, or reads into a zeroed one; fields in their order, without the hash. */
void sfmi_partial_code(sfmi_byte_codec *codec, sfm_partial *partial);

#endif
