/* ledger_file.h - the SQLite file under a ledger.  Its transactions are those of
 * base/system/database.h. */
#ifndef SFMI_LEDGER_FILE_H
#define SFMI_LEDGER_FILE_H

#include "base/system/database.h"
#include "hash_chain.h"

typedef enum sfmi_statement {
  SFMI_READ_ENTRIES,
  SFMI_READ_HASH,
  SFMI_READ_REQUEST,
  SFMI_READ_ANSWER,
  SFMI_ADD_ENTRY,
  SFMI_ADD_ANSWER,
  SFMI_STATEMENTS,
} sfmi_statement;

/* Not moved while open. */
typedef struct sfmi_ledger_file {
  sfmi_database database;
  sqlite3_stmt *statements[SFMI_STATEMENTS];
  uint8_t identity[SFMI_IDENTITY_BYTES];
  char *anchor; /* "": none */
} sfmi_ledger_file;

/* Makes a new, empty ledger at path (which must not exist), durable and closed again; name is what
 * messages call it. */
SFM_MUST_CHECK sfm_status sfmi_ledger_file_create(const char *path, const char *name,
                                                  const uint8_t identity[SFMI_IDENTITY_BYTES],
                                                  const char *anchor, bool shared,
                                                  sfm_error *error);

/* Opens an existing one and checks that its tables are ours. */
SFM_MUST_CHECK sfm_status sfmi_ledger_file_open(sfmi_ledger_file *file, const char *path,
                                                sfm_error *error);
void sfmi_ledger_file_close(sfmi_ledger_file *file);

/* Within a transaction.  Each visits entries from number on, in order, until visit fails. */
typedef sfm_status sfmi_entry_visitor(void *context, const sfmi_entry *entry, sfm_error *error);
SFM_MUST_CHECK sfm_status sfmi_ledger_file_entries(sfmi_ledger_file *file, uint64_t from,
                                                   sfmi_entry_visitor *visit, void *context,
                                                   sfm_error *error);
/* The hash of an entry; *found is false when there is none. */
SFM_MUST_CHECK sfm_status sfmi_ledger_file_hash(sfmi_ledger_file *file, bool *found,
                                                uint8_t hash[SFMI_HASH_BYTES], uint64_t number,
                                                sfm_error *error);
/* The entry of that kind for a request.  *number is 0 when there is none.  parameters (may be NULL)
 * is to be freed; secret (may be NULL) has 32 bytes. */
SFM_MUST_CHECK sfm_status sfmi_ledger_file_request(sfmi_ledger_file *file, uint64_t *number,
                                                   char **parameters, uint8_t *secret,
                                                   sfmi_entry_kind kind, const char *dataset,
                                                   const char *request, sfm_error *error);
/* The stored bytes of an answer entry, to be freed. */
SFM_MUST_CHECK sfm_status sfmi_ledger_file_answer(sfmi_ledger_file *file, char **bytes,
                                                  size_t *length, uint64_t number,
                                                  sfm_error *error);
SFM_MUST_CHECK sfm_status sfmi_ledger_file_add_entry(sfmi_ledger_file *file,
                                                     const sfmi_entry *entry, sfm_error *error);
SFM_MUST_CHECK sfm_status sfmi_ledger_file_add_answer(sfmi_ledger_file *file, uint64_t number,
                                                      const char *bytes, size_t length,
                                                      sfm_error *error);

/* How many answers are stored. */
SFM_MUST_CHECK sfm_status sfmi_ledger_file_count_answers(sfmi_ledger_file *file, int64_t *count,
                                                         sfm_error *error);

#endif
