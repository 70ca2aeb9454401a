/* frame_value.h - what a text of a data frame is: a number, an instant, a time of day or
 * itself; and the one text that each of them has (docs/proofs/reading.md).  true and false are the
 * numbers 1 and 0.
 *
 * A frame may hold a column as texts or as typed values, as its producer guessed from the records.
 * So a text that looks like a value is that value, and equal values have equal texts. */
#ifndef SFMI_FRAME_VALUE_H
#define SFMI_FRAME_VALUE_H

#include <locale.h>

#include "decimal.h"

/* Seconds from 1970-01-01, and what is above them in nanoseconds, 0 to 999,999,999. */
typedef struct sfmi_instant {
  int64_t seconds;
  int32_t nanos;
} sfmi_instant;

/* Room for the text of a number, an instant or a time. */
#define SFMI_FRAME_ROOM SFMI_DECIMAL_TEXT

/* Longer texts are empty cells. */
#define SFMI_FRAME_TEXT_MAX ((size_t)1 << 20)

typedef struct sfmi_frame_value {
  const char *text; /* not NUL-terminated; NULL: there is no value */
  size_t length;
  double number; /* NaN where it is none */
} sfmi_frame_value;

/* Texts stand in room, or, for a text that is itself, where they were. */
sfmi_frame_value sfmi_frame_number(double number, char room[SFMI_FRAME_ROOM]);
sfmi_frame_value sfmi_frame_instant(sfmi_instant instant, char room[SFMI_FRAME_ROOM]);
/* Of a day: seconds from midnight on. */
sfmi_frame_value sfmi_frame_time(sfmi_instant time, char room[SFMI_FRAME_ROOM]);
sfmi_frame_value sfmi_frame_boolean(bool value);
/* text need not be followed by anything.  c is the "C" locale. */
sfmi_frame_value sfmi_frame_text(const char *text, size_t length, char room[SFMI_FRAME_ROOM],
                                 locale_t c);
/* Only the number of such a text, NaN if it is none.  readable: so many bytes from text on can be
 * read, at least length; more is faster. */
double sfmi_frame_text_number(const char *text, size_t length, size_t readable, locale_t c);

/* Seconds since 1970 as a number; NaN beyond the years 1 to 9999, whose instants are empty cells.
 */
double sfmi_instant_number(sfmi_instant instant);

#endif
