/* arrow_type.h - the type of an Arrow column, from the format string of its schema. */
#ifndef SFMI_ARROW_TYPE_H
#define SFMI_ARROW_TYPE_H

#include "sfumato/arrow.h"

typedef enum sfmi_arrow_kind {
  SFMI_ARROW_UNKNOWN, /* a format that is none, or one that only stores other columns */
  SFMI_ARROW_EMPTY,   /* null, nested, durations and intervals: cells without a value here */
  SFMI_ARROW_BOOLEAN,
  SFMI_ARROW_INTEGER,
  SFMI_ARROW_UNSIGNED,
  SFMI_ARROW_FLOAT,
  SFMI_ARROW_DECIMAL,
  SFMI_ARROW_TEXT,    /* offsets of 32 or 64 bits; also binary */
  SFMI_ARROW_FIXED,   /* binary of a fixed size */
  SFMI_ARROW_VIEW,    /* texts or binary as views */
  SFMI_ARROW_INSTANT, /* dates and timestamps */
  SFMI_ARROW_TIME,    /* of a day */
} sfmi_arrow_kind;

typedef struct sfmi_arrow_type {
  sfmi_arrow_kind kind;
  size_t width;      /* bytes of an element; of a text, of an offset */
  int scale;         /* decimal: value = integer x 10^-scale */
  int64_t each_unit; /* instant, time: seconds of a unit (days), or 0 */
  int64_t in_second; /* units of a second, or 0 */
} sfmi_arrow_type;

sfmi_arrow_type sfmi_arrow_type_of(const char *format);

/* Buffers that an array of the type has at least. */
int64_t sfmi_arrow_type_buffers(const sfmi_arrow_type *type);

#endif
