/* cell_category.h - which of its column's categories a cell holds. */
#ifndef SFMI_CELL_CATEGORY_H
#define SFMI_CELL_CATEGORY_H

#include <locale.h>

#include "cell.h"
#include "data/schema/category.h"

/* The place of the cell's category among them, or SFMI_NO_CATEGORY.  The cell is unescaped; c is
 * the "C" locale. */
uint32_t sfmi_category_of_cell(const sfmi_category *category, const sfmi_cell *cell, locale_t c);

#endif
