/* vault.h - the SQLite file under a ledger.  Its transactions are those of base/database.h. */
#ifndef SFMI_VAULT_H
#define SFMI_VAULT_H

#include "base/database.h"
#include "ledger/chain.h"

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
typedef struct sfmi_vault {
  sfmi_database database;
  sqlite3_stmt *statements[SFMI_STATEMENTS];
  uint8_t identity[SFMI_IDENTITY_BYTES];
  char *anchor; /* "": none */
} sfmi_vault;

/* Makes a new, empty ledger at path (which must not exist), durable and closed again; name is what
 * messages call it. */
SFM_MUST_CHECK sfm_status sfmi_vault_make(const char *path, const char *name,
                                          const uint8_t identity[SFMI_IDENTITY_BYTES],
                                          const char *anchor, bool shared, sfm_error *error);

/* Opens an existing one and checks that its tables are ours. */
SFM_MUST_CHECK sfm_status sfmi_vault_open(sfmi_vault *vault, const char *path, sfm_error *error);
void sfmi_vault_close(sfmi_vault *vault);

/* Within a transaction.  Each visits entries from number on, in order, until visit fails. */
typedef sfm_status sfmi_entry_visitor(void *context, const sfmi_entry *entry, sfm_error *error);
SFM_MUST_CHECK sfm_status sfmi_vault_entries(sfmi_vault *vault, uint64_t from,
                                             sfmi_entry_visitor *visit, void *context,
                                             sfm_error *error);
/* The hash of an entry; *found is false when there is none. */
SFM_MUST_CHECK sfm_status sfmi_vault_hash(sfmi_vault *vault, bool *found,
                                          uint8_t hash[SFMI_HASH_BYTES], uint64_t number,
                                          sfm_error *error);
/* The entry of that kind for a request.  *number is 0 when there is none.  parameters (may be NULL)
 * is to be freed; secret (may be NULL) has 32 bytes. */
SFM_MUST_CHECK sfm_status sfmi_vault_request(sfmi_vault *vault, uint64_t *number, char **parameters,
                                             uint8_t *secret, sfmi_entry_kind kind,
                                             const char *dataset, const char *request,
                                             sfm_error *error);
/* The stored bytes of an answer entry, to be freed. */
SFM_MUST_CHECK sfm_status sfmi_vault_answer(sfmi_vault *vault, char **bytes, size_t *length,
                                            uint64_t number, sfm_error *error);
SFM_MUST_CHECK sfm_status sfmi_vault_add_entry(sfmi_vault *vault, const sfmi_entry *entry,
                                               sfm_error *error);
SFM_MUST_CHECK sfm_status sfmi_vault_add_answer(sfmi_vault *vault, uint64_t number,
                                                const char *bytes, size_t length, sfm_error *error);

/* How many answers are stored. */
SFM_MUST_CHECK sfm_status sfmi_vault_count_answers(sfmi_vault *vault, int64_t *count,
                                                   sfm_error *error);

#endif
