/* person_id.h - the id in a cell: the person to whom a record belongs.
 *
 * Blanks and tabs around it are ignored, as around numbers and categories.  In a column that
 * the schema calls number or integer the id is the number, as an exact decimal: 7, 7.0, 07 and 7e0
 * are one person, and 9007199254740992 and 9007199254740993, one double, are two.  In any other
 * column, and where no schema speaks of it, the id is the text.  What a cell gives depends on that
 * cell and the public type alone. */
#ifndef SFMI_PERSON_ID_H
#define SFMI_PERSON_ID_H

#include <locale.h>

#include "cell.h"
#include "sfumato/schema.h"

typedef enum sfmi_person_id_type {
  SFMI_PERSON_TEXT,
  SFMI_PERSON_NUMBER,
  SFMI_PERSON_INTEGER
} sfmi_person_id_type;

/* How ids in a column are compared; NULL when no schema speaks of it. */
sfmi_person_id_type sfmi_person_id_type_of(const sfm_column *column);

/* Bytes that sfmi_person_id_read writes beside those of the cell. */
#define SFMI_PERSON_ID_ROOM 16

/* The id in the cell, which is unescaped: equal bytes for one person.  It has length 0 where the
 * cell holds none: empty, absent, broken, or no number of its type (or one whose exponent has more
 * than nine digits).  It stands in the cell, or in room, of the cell's length and
 * SFMI_PERSON_ID_ROOM bytes. */
sfmi_text sfmi_person_id_read(sfmi_person_id_type how, const sfmi_cell *cell, char *room,
                              locale_t c);

#endif
