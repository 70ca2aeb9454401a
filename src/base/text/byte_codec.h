/* byte_codec.h - numbers as bytes and back: words of 64 bits, little endian, on every machine.
 *
 * A codec either writes or reads.  One function that names the fields of a struct in their order
 * does both, so that the two cannot disagree:
 *
 *   void code_point(sfmi_byte_codec *codec, point *p) {
 *     sfmi_byte_codec_f64(codec, &p->x);
 *     sfmi_byte_codec_f64(codec, &p->y);
 *   }
 *
 * The first failure (no memory, too few bytes, a number that cannot be) is kept in `failed`;
 * nothing is written or read from then on, and fields keep the values they had. */
#ifndef SFMI_BYTE_CODEC_H
#define SFMI_BYTE_CODEC_H

#include <stdbool.h>
#include <stddef.h>

#include "base/system/status.h"

/* All zeros: it writes, and nothing was written. */
typedef struct sfmi_byte_codec {
  const uint8_t *source; /* what is read, borrowed; NULL: it writes */
  uint8_t *written;      /* wiped when it grows or is cleared */
  size_t room;
  size_t at, length; /* the next byte; how many there are */
  uint64_t version;  /* of the layout, for whoever names the fields */
  bool failed;
  bool short_of_memory; /* which is why it failed */
} sfmi_byte_codec;

static inline sfmi_byte_codec sfmi_byte_codec_reader(const uint8_t *bytes, size_t length) {
  return (sfmi_byte_codec){.source = length ? bytes : (const uint8_t *)"", .length = length};
}

void sfmi_byte_codec_u64(sfmi_byte_codec *codec, uint64_t *x);
void sfmi_byte_codec_i64(sfmi_byte_codec *codec, int64_t *x);
void sfmi_byte_codec_f64(sfmi_byte_codec *codec, double *x);
/* Two words, the low one first. */
void sfmi_byte_codec_i128(sfmi_byte_codec *codec, sfmi_i128 *x);
/* A word of 0 or 1. */
void sfmi_byte_codec_bool(sfmi_byte_codec *codec, bool *x);
/* As they are. */
void sfmi_byte_codec_bytes(sfmi_byte_codec *codec, void *bytes, size_t size);

/* Zeroed memory for what is read, or NULL, and then it failed. */
void *sfmi_byte_codec_alloc(sfmi_byte_codec *codec, size_t count, size_t size);

/* Bytes that were not read yet. */
static inline size_t sfmi_byte_codec_left(const sfmi_byte_codec *codec) {
  return codec->length - codec->at;
}

/* Wipes and frees what was written. */
void sfmi_byte_codec_clear(sfmi_byte_codec *codec);

#endif
