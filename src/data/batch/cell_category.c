#include "cell_category.h"

#include <math.h>

#include "base/text/decimal.h"

uint32_t sfmi_category_of_cell(const sfmi_category *category, const sfmi_cell *cell, locale_t c) {
  if (cell->kind != SFMI_CELL_BARE && cell->kind != SFMI_CELL_QUOTED) return SFMI_NO_CATEGORY;
  if (sfmi_category_by_value(category)) {
    double value = NAN;
    sfmi_decimal_read(&value, cell->text, cell->length, c);
    return sfmi_category_of_number(category, value);
  }
  const sfmi_text text = sfmi_cell_trimmed(cell);
  return sfmi_category_of_text(category, text.text, text.length);
}
