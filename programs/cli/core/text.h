/* text.h - numbers and lists as people write them in options and files.
 *
 * The program never calls setlocale, so that a decimal point is a point everywhere. */
#ifndef CLI_TEXT_H
#define CLI_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sfumato/status.h"

/* The whole of text as a decimal number; "nan", "inf" and "infinity" (any case, with a sign) are
 * numbers too, for the caller to refuse in its own words.  No blanks, no hexadecimal. */
bool text_number(double *out, const char *text);
/* The number that a text was probably meant as: 0,5 is 0.5 and 5% is 0.05; whether there is one. */
bool text_meant(char *out, size_t size, const char *text);
/* The whole of text as digits that fit in 64 bits. */
bool text_count(uint64_t *out, const char *text);

/* Everything that comes from a file and is printed for people goes through one of these.  Bytes
 * that are not UTF-8, control characters, line separators and marks that reorder or hide their
 * neighbours are written as \x1b, \u202e, \U000e0001; all else stands as it is.
 *
 * One character: returns the length of what it becomes, without a zero; *bytes is its own. */
#define TEXT_ESCAPED_MAX 16
size_t text_escape_one(char out[TEXT_ESCAPED_MAX], const char *text, size_t *bytes);
/* A text; what does not fit is cut. */
void text_harmless(char *out, size_t size, const char *text);
/* The first `length` bytes of one. */
void text_print(FILE *out, const char *text, size_t length);

/* Adds to the text in a buffer of that size; what does not fit is cut. */
void text_add(char *out, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Whether text is one of words, a list ended by NULL. */
bool text_is_among(const char *text, const char *const *words);

/* Writes 1e-06 as 1e-6, in place. */
void text_short_power(char *number);

/* The number with up to 15 digits. */
void text_digits(char *out, size_t size, double number);

/* A whole number as the axes of pictures have it: a true minus sign, and commas between thousands,
 * "1,521". */
void text_whole(char *out, size_t size, double number);

/* The same of a number to six digits, or all before its point: "1,521.5". */
void text_grouped(char *out, size_t size, double number);
/* How far off a number may be: its first four digits, or the next whole number from 1,000 on. */
void text_width(char *out, size_t size, double width);

/* The shortest text of six digits or more that is read back as the number. */
void text_shortest(char *out, size_t size, double number);

/* Characters that the first `bytes` bytes of a text are printed as: columns, unless some are
 * wide. */
size_t text_columns(const char *text, size_t bytes);

/* A list of strings in one block; free with text_list_clear. */
typedef struct text_list {
  char **items;
  size_t count;
} text_list;

/* Splits text at separator.  Part of an item in double quotes is taken as it stands ("" inside is
 * one quote); blanks around an item are dropped. */
SFM_MUST_CHECK sfm_status text_split(text_list *list, const char *text, char separator,
                                     sfm_error *error);
void text_list_clear(text_list *list);

/* Replaces each item such as x1..x20, the same text before two whole numbers, by all that lie
 * between: x1, x2, ..., x20 (x01..x20: x01, x02, ...).  Fails when there are more than `most`. */
SFM_MUST_CHECK sfm_status text_expand(text_list *list, const char *option, size_t most,
                                      sfm_error *error);

/* The items joined with ", " into buffer, cut with "..." when they do not fit. */
void text_join(char *buffer, size_t size, const char *const *items, size_t count);

/* A list of numbers separated by commas: *out on the heap, *count of them.  option names it in
 * messages. */
SFM_MUST_CHECK sfm_status text_numbers(double **out, size_t *count, const char *text,
                                       const char *option, sfm_error *error);

/* Prints text wrapped to width, each line after the first indented; column is where the first line
 * already stands.  Ends with a newline.  Control characters, which a file's names might hold, are
 * printed as question marks. */
void text_print_wrapped(FILE *out, const char *text, size_t column, size_t indent, size_t width);

/* One line `label   text`, text wrapped and indented under itself. */
void text_print_labelled(FILE *out, const char *label, const char *text);
/* The same of a text of up to 2047 bytes that is made here; and wrapped to another width. */
void text_say(FILE *out, const char *label, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void text_say_within(FILE *out, size_t width, const char *label, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
