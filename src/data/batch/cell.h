/* cell.h - one cell of a record, as text. */
#ifndef SFMI_CELL_H
#define SFMI_CELL_H

#include <stddef.h>
#include <stdint.h>

/* A text that is not NUL-terminated; of a batch, alive as long as the batch. */
typedef struct sfmi_text {
  const char *text;
  uint32_t length;
} sfmi_text;

typedef enum sfmi_cell_kind {
  SFMI_CELL_ABSENT, /* the line ended before it */
  SFMI_CELL_BARE,
  SFMI_CELL_QUOTED,
  SFMI_CELL_ESCAPED, /* quoted, with doubled quotes inside that sfmi_cell_unescape removes */
  SFMI_CELL_BROKEN,
  SFMI_CELL_VALUE, /* of a data frame: its text, and its number */
} sfmi_cell_kind;

typedef struct sfmi_cell {
  char *text;
  size_t length;
  sfmi_cell_kind kind;
  double number; /* SFMI_CELL_VALUE only; NaN where it is none */
} sfmi_cell;

/* The text of an unescaped cell without the blanks and tabs around it; of length 0 where it has
 * none that can be read. */
static inline sfmi_text sfmi_cell_trimmed(const sfmi_cell *cell) {
  const char *text = cell->text;
  size_t length = cell->length;
  if (cell->kind == SFMI_CELL_ABSENT || cell->kind == SFMI_CELL_BROKEN) length = 0;
  while (length > 0 && (*text == ' ' || *text == '\t')) text++, length--;
  while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t')) length--;
  return (sfmi_text){text, (uint32_t)length};
}

#endif
