/* key.h - the keys of a dataset of a ledger, for programs that read a part of its rows elsewhere.
 *
 * A ledger recognises the rows of a dataset by a fingerprint, which is a sum over the records under
 * a key.  Under another key it is decided which records of a person are kept.  An sfm_key has both.
 * It cannot charge the ledger, and it has nothing to do with noise.
 *
 * Whoever has a key and the ledger can test a guess of the whole table against the fingerprint.
 * Whoever has a key can compute which records of a person are kept, and in which part a person is.
 * So a key is as private as the rows.  It cannot be withdrawn: other keys are those of another
 * dataset.
 *
 * An sfm_key does not change, so threads may share one. */
#ifndef SFUMATO_KEY_H
#define SFUMATO_KEY_H

#include <stddef.h>

#include "sfumato/ledger.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sfm_key sfm_key;

/* The key of a dataset, which the caller destroys.  SFM_INVALID if there is no dataset of that
 * name.  SFM_REFUSED if it is closed, or if sfumato 0.1 created it: its fingerprint depends on the
 * order of the records, and is not a sum. */
SFM_API SFM_MUST_CHECK sfm_status sfm_ledger_key(sfm_key **out, sfm_ledger *ledger,
                                                 const char *dataset, sfm_error *error);

/* Writes it to a new file of mode 0600, whole or not at all.  SFM_INVALID if there is a file of
 * that name, or a link. */
SFM_API SFM_MUST_CHECK sfm_status sfm_key_write(const sfm_key *key, const char *path,
                                                sfm_error *error);
/* Reads such a file; the caller destroys the key.  SFM_INVALID if users other than its owner have
 * any rights to it, SFM_FORMAT if it is not a key. */
SFM_API SFM_MUST_CHECK sfm_status sfm_key_read(sfm_key **out, const char *path, sfm_error *error);

/* The same as text of `length` bytes, with a NUL behind it, for a program that sends the key to
 * others by itself.  The caller frees it with sfm_key_text_free, and wipes every copy that it makes
 * of it. */
SFM_API SFM_MUST_CHECK sfm_status sfm_key_to_text(const sfm_key *key, char **text, size_t *length,
                                                  sfm_error *error);
SFM_API SFM_MUST_CHECK sfm_status sfm_key_from_text(sfm_key **out, const char *text, size_t length,
                                                    sfm_error *error);
/* Wipes and frees a text of sfm_key_to_text, which may be NULL. */
SFM_API void sfm_key_text_free(char *text);

/* The name of its dataset.  Owned by the key. */
SFM_API const char *sfm_key_dataset(const sfm_key *key);

/* Wipes and frees it; it may be NULL. */
SFM_API void sfm_key_destroy(sfm_key *key);

#ifdef __cplusplus
}
#endif
#endif
