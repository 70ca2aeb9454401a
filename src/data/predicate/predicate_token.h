/* predicate_token.h - the tokens of a predicate, and error messages that point at one.
 *
 * - A name is a letter, an underscore or a character beyond ASCII, then also digits and points; or
 *   anything in backquotes (`` stands for one).
 * - A number is as in a cell, with a sign or without: 65, -0.5, 1e6.
 * - A string is in double or single quotes; a backslash before a quote or a backslash stands for
 *   that character.
 * - The keywords are and, or, not, in, true, false, in upper or lower case.
 * - The signs are == != < <= > >= ( ) and the comma. */
#ifndef SFMI_PREDICATE_TOKEN_H
#define SFMI_PREDICATE_TOKEN_H

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/system/status.h"

/* Most bytes of a predicate. */
#define SFMI_PREDICATE_MAX 4096

typedef enum sfmi_token_kind {
  SFMI_TOKEN_END,
  SFMI_TOKEN_NAME,
  SFMI_TOKEN_NUMBER,
  SFMI_TOKEN_STRING,
  SFMI_TOKEN_BOOLEAN,
  SFMI_TOKEN_AND,
  SFMI_TOKEN_OR,
  SFMI_TOKEN_NOT,
  SFMI_TOKEN_IN,
  SFMI_TOKEN_EQUAL, /* the comparisons, to AT_LEAST */
  SFMI_TOKEN_UNEQUAL,
  SFMI_TOKEN_BELOW,
  SFMI_TOKEN_AT_MOST,
  SFMI_TOKEN_ABOVE,
  SFMI_TOKEN_AT_LEAST,
  SFMI_TOKEN_OPEN,
  SFMI_TOKEN_CLOSE,
  SFMI_TOKEN_COMMA,
} sfmi_token_kind;

typedef struct sfmi_token {
  sfmi_token_kind kind;
  size_t start, length;              /* where it stands in the text */
  double number;                     /* of a number; 0 or 1 of a boolean */
  char text[SFMI_PREDICATE_MAX + 1]; /* of a name or a string, without quotes and backslashes */
} sfmi_token;

/* A predicate being read.  Borrows its text, which is UTF-8 and at most SFMI_PREDICATE_MAX long. */
typedef struct sfmi_lexer {
  const char *text;
  size_t at;
  locale_t c;
  sfm_error *error;
} sfmi_lexer;

/* The next token; refuses what is none. */
SFM_MUST_CHECK sfm_status sfmi_token_next(sfmi_lexer *lexer, sfmi_token *token);

/* Fails with the message and, below it, the line of the text with a caret under the byte `place`:
 *
 *   settings.where: expected a value after '>='
 *     age >= and sex == "F"
 *            ^ */
SFM_MUST_CHECK sfm_status sfmi_token_fail(const sfmi_lexer *lexer, size_t place, const char *format,
                                          ...) __attribute__((format(printf, 3, 4)));

#endif
