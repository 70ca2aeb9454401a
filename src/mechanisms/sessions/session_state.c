#include "session_state.h"

/* Where the number of the bytes that follow stands, and where they begin. */
enum { FOLLOW_AT = 16, FIELDS_AT = 24 };

void sfmi_state_begin(sfmi_byte_codec *codec, const sfmi_state_kind *kind) {
  sfmi_state_kind copy = *kind;
  uint64_t follow = 0; /* not known yet */
  *codec = (sfmi_byte_codec){.version = kind->version};
  sfmi_byte_codec_u64(codec, &copy.mark);
  sfmi_byte_codec_u64(codec, &copy.version);
  sfmi_byte_codec_u64(codec, &follow);
}

sfm_status sfmi_state_end(uint8_t **state, size_t *length, sfmi_byte_codec *codec,
                          sfm_error *error) {
  uint64_t follow = codec->length - FIELDS_AT;
  *state = NULL;
  codec->at = FOLLOW_AT;
  sfmi_byte_codec_u64(codec, &follow);
  if (codec->failed) {
    sfmi_byte_codec_clear(codec);
    return sfmi_fail_memory(error);
  }
  *state = codec->written;
  *length = codec->length;
  *codec = (sfmi_byte_codec){0};
  return SFM_OK;
}

static sfm_status fail_foreign(const char *name, sfm_error *error) {
  return sfmi_fail(error, SFM_FORMAT,
                   "the session %.300s was made by another version of sfumato, or on another kind "
                   "of machine: ask it there",
                   name);
}

sfm_status sfmi_state_fail_impossible(const char *name, sfm_error *error) {
  return sfmi_fail(error, SFM_FORMAT,
                   "the session %.300s is damaged: it holds numbers that no session has; put back "
                   "its newest good copy",
                   name);
}

/* Behind the mark of 0.1. */
static sfm_status open_0_1(sfmi_byte_codec *codec, const sfmi_state_kind *kind, const char *name,
                           sfm_error *error) {
  uint64_t size = 0;
  codec->version = 1;
  if (kind->size_0_1) sfmi_byte_codec_u64(codec, &size);
  return size == kind->size_0_1 ? SFM_OK : fail_foreign(name, error);
}

sfm_status sfmi_state_open(sfmi_byte_codec *codec, const sfmi_state_kind *kind,
                           const uint8_t *state, size_t length, const char *name,
                           sfm_error *error) {
  uint64_t mark = 0, follow = 0;
  *codec = sfmi_byte_codec_reader(state, length);
  sfmi_byte_codec_u64(codec, &mark);
  if (mark == kind->mark_0_1) return open_0_1(codec, kind, name, error);
  if (mark != kind->mark) return fail_foreign(name, error);
  sfmi_byte_codec_u64(codec, &codec->version);
  if (codec->version > kind->version)
    return sfmi_fail(error, SFM_FORMAT,
                     "the session %.300s was made by a newer sfumato: ask it with that one", name);
  sfmi_byte_codec_u64(codec, &follow);
  if (codec->version < 2 || follow != sfmi_byte_codec_left(codec))
    return sfmi_state_fail_impossible(name, error);
  return SFM_OK;
}
