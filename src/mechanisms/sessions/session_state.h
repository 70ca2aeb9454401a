/* session_state.h - the private state of a session as its file holds it: what is alike in every
 * kind of session, and what may be wrong with it.
 *
 * THE BYTES OF A STATE (base/text/byte_codec.h)
 *
 *  1. A word: the mark of the kind.
 *  2. A word: the version of the kind's layout.
 *  3. A word: how many bytes follow, to the end.
 *  4. The fields of the kind in their order: private_model_state.c, online_function.c.
 *
 * The fields of a version never change.  Who adds one makes a new version, names it behind the
 * others, `if (codec->version >= N)`, and says what it is in states that have none.
 *
 * Version 1 is that of sfumato 0.1, which copied structs: the same fields as those of version 2, as
 * machines with little-endian words hold them, behind another mark, no version, and where the kind
 * says so the size of the struct. */
#ifndef SFMI_SESSION_STATE_H
#define SFMI_SESSION_STATE_H

#include "base/text/byte_codec.h"

typedef struct sfmi_state_kind {
  uint64_t mark;
  uint64_t version; /* the newest, which is written */
  uint64_t mark_0_1;
  uint64_t size_0_1; /* 0: none was written */
} sfmi_state_kind;

/* Begins to write one; the fields are coded next. */
void sfmi_state_begin(sfmi_byte_codec *codec, const sfmi_state_kind *kind);
/* The state, to be wiped and freed.  The codec holds nothing from then on. */
SFM_MUST_CHECK sfm_status sfmi_state_end(uint8_t **state, size_t *length, sfmi_byte_codec *codec,
                                         sfm_error *error);

/* Begins to read one; the fields are coded next.  SFM_FORMAT when it is of another kind, or of a
 * later version; name is the session's, for the message. */
SFM_MUST_CHECK sfm_status sfmi_state_open(sfmi_byte_codec *codec, const sfmi_state_kind *kind,
                                          const uint8_t *state, size_t length, const char *name,
                                          sfm_error *error);
/* SFM_FORMAT: it has numbers that no session has. */
SFM_MUST_CHECK sfm_status sfmi_state_fail_impossible(const char *name, sfm_error *error);

#endif
