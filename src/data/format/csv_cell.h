/* csv_cell.h - one cell of a CSV line.
 *
 * Every pointer here stands inside a line that ends in '\n', and nothing ever reads past that byte:
 * a quote cannot reach into the next record.  A '\r' right before the '\n' belongs to the line end.
 *
 *   "a,b"    quoted: the text a,b            "a""b"  quoted, escaped: the text a"b
 *   a"b      a quote inside a bare cell is an ordinary character
 *   "a       no closing quote: broken, and it takes the rest of its line
 *   "a"b     text after the closing quote: broken, up to the next comma */
#ifndef SFMI_CSV_CELL_H
#define SFMI_CSV_CELL_H

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "data/batch/cell.h"
#include "data/schema/category.h"

/* Scans the cell that starts at text; returns where it stops: at a ',', or at the line end ("\n" or
 * "\r\n"). */
char *sfmi_cell_scan(sfmi_cell *cell, char *text);

/* Turns doubled quotes into single ones, in place. */
void sfmi_cell_unescape(sfmi_cell *cell);

/* The place of the cell's category among them, or SFMI_NO_CATEGORY.  The cell is unescaped; c is
 * the "C" locale. */
uint32_t sfmi_category_of_cell(const sfmi_category *category, const sfmi_cell *cell, locale_t c);

/* The high bit of the lowest byte of word that equals the byte repeated in pattern (higher bits may
 * be set too). */
static inline uint64_t sfmi_cell_match(uint64_t word, uint64_t pattern) {
  uint64_t x = word ^ pattern;
  return (x - UINT64_C(0x0101010101010101)) & ~x & UINT64_C(0x8080808080808080);
}

/* The first ',' or '\n' at or after text; eight bytes from anywhere in the line are readable. */
static inline char *sfmi_cell_stop(char *text) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  for (;; text += 8) {
    uint64_t word;
    memcpy(&word, text, 8);
    uint64_t hits = sfmi_cell_match(word, UINT64_C(0x2c2c2c2c2c2c2c2c)) |
                    sfmi_cell_match(word, UINT64_C(0x0a0a0a0a0a0a0a0a));
    if (hits) return text + (__builtin_ctzll(hits) >> 3);
  }
#else
  while (*text != ',' && *text != '\n') text++;
  return text;
#endif
}

#endif
