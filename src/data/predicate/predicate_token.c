#include "predicate_token.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <strings.h>

#include "base/system/c_locale.h"
#include "base/text/utf8.h"
#include "base/text/decimal.h"

/* Characters of the text that are shown on either side of the place. */
#define SHOWN 36
/* Bytes of a message, beside the lines that show the place (of at most four bytes a character). */
#define REMARK_MAX 560

_Static_assert(REMARK_MAX + 2 * SHOWN * 4 + SHOWN + 32 < SFM_MESSAGE_MAX, "all of it fits");

static bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool begins_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

static bool continues_name(char c) {
  return begins_name(c) || sfmi_is_digit(c) || c == '.';
}

/* One character of the text for a terminal, with its length in bytes. */
static size_t show_character(char out[5], const char *text) {
  const size_t length = sfmi_utf8_length(text);
  const unsigned char first = (unsigned char)text[0];
  const bool c1 = length == 2 && first == 0xc2 && (unsigned char)text[1] < 0xa0;
  if (is_space(text[0]) || first < 0x20 || first == 0x7f || c1) {
    sfmi_snprintf(out, 5, "%c", is_space(text[0]) ? ' ' : '?');
  } else {
    memcpy(out, text, length);
    out[length] = '\0';
  }
  return length;
}

/* The start of the character `count` characters before `place`, or of the text. */
static size_t step_back(const char *text, size_t place, size_t count) {
  for (; place > 0 && count > 0; count--) {
    do place--;
    while (place > 0 && ((unsigned char)text[place] & 0xc0) == 0x80);
  }
  return place;
}

sfm_status sfmi_token_fail(const sfmi_lexer *lexer, size_t place, const char *format, ...) {
  char remark[REMARK_MAX], line[2 * SHOWN * 4 + 8], shown[5];
  const char *text = lexer->text;
  size_t before = 0, used = 0;
  va_list arguments;
  va_start(arguments, format);
  sfmi_vsnprintf(remark, sizeof remark, format, arguments);
  va_end(arguments);
  size_t from = step_back(text, place, SHOWN), at = from;
  if (from > 0) {
    used = (size_t)sfmi_snprintf(line, sizeof line, "...");
    before = 3;
  }
  for (size_t count = 0; text[at] && count < 2 * SHOWN; count++) {
    before += at < place;
    at += show_character(shown, text + at);
    used += (size_t)sfmi_snprintf(line + used, sizeof line - used, "%s", shown);
  }
  if (text[at]) sfmi_snprintf(line + used, sizeof line - used, "...");
  return sfmi_fail(lexer->error, SFM_INVALID, "settings.where: %s\n  %s\n  %*s^", remark,
                   used ? line : "", (int)before, "");
}

/* Something in quotes, into token->text; `escape` is the byte before a quote that is taken as it
 * stands: a backslash, or the quote itself. */
static sfm_status take_quoted(sfmi_lexer *lexer, sfmi_token *token, char quote, char escape) {
  const char *text = lexer->text;
  size_t used = 0, at = token->start + 1;
  for (; text[at]; at++) {
    const bool doubled = escape == quote && text[at] == quote && text[at + 1] == quote;
    if (text[at] == quote && !doubled) break;
    if (doubled || text[at] == escape) {
      at++;
      if (escape == '\\' && (!text[at] || !strchr("\\\"'", text[at])))
        return sfmi_token_fail(lexer, at - 1,
                               "a backslash stands before a quote or a backslash; write \\\\ for "
                               "the character itself");
    }
    token->text[used++] = text[at];
  }
  token->text[used] = '\0';
  if (!text[at])
    return sfmi_token_fail(lexer, token->start, "this %s has no end: close it with %c",
                           quote == '`' ? "name" : "text", quote);
  token->length = at + 1 - token->start;
  return SFM_OK;
}

/* The text has room after it: sfmi_decimal_scan may look SFMI_DECIMAL_SLACK bytes ahead. */
static sfm_status take_number(sfmi_lexer *lexer, sfmi_token *token) {
  char copy[SFMI_PREDICATE_MAX + 1 + SFMI_DECIMAL_SLACK] = {0};
  sfmi_snprintf(copy, SFMI_PREDICATE_MAX + 1, "%s", lexer->text + token->start);
  const char *end = sfmi_decimal_scan(&token->number, copy, lexer->c);
  if (!end) return sfmi_token_fail(lexer, token->start, "expected digits here");
  token->kind = SFMI_TOKEN_NUMBER;
  token->length = (size_t)(end - copy);
  if (continues_name(*end))
    return sfmi_token_fail(lexer, token->start,
                           "this is no number; a column whose name begins like one stands in "
                           "backquotes: `2nd`");
  if (!isfinite(token->number))
    return sfmi_token_fail(lexer, token->start, "this number is too large");
  return SFM_OK;
}

static void take_word(sfmi_lexer *lexer, sfmi_token *token) {
  static const struct {
    const char *word;
    sfmi_token_kind kind;
    double number;
  } keywords[] = {{"and", SFMI_TOKEN_AND, 0},      {"or", SFMI_TOKEN_OR, 0},
                  {"not", SFMI_TOKEN_NOT, 0},      {"in", SFMI_TOKEN_IN, 0},
                  {"true", SFMI_TOKEN_BOOLEAN, 1}, {"false", SFMI_TOKEN_BOOLEAN, 0}};
  const char *start = lexer->text + token->start;
  while (continues_name(start[token->length])) token->length++;
  memcpy(token->text, start, token->length);
  token->text[token->length] = '\0';
  token->kind = SFMI_TOKEN_NAME;
  for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
    if (sfmi_strcasecmp(token->text, keywords[i].word) != 0) continue;
    token->kind = keywords[i].kind;
    token->number = keywords[i].number;
  }
}

/* A sign, or another language's word for one. */
static sfm_status take_sign(sfmi_lexer *lexer, sfmi_token *token) {
  static const struct {
    const char *sign;
    sfmi_token_kind kind;
    const char *instead; /* what to write for signs that are none here */
  } signs[] = {{"==", SFMI_TOKEN_EQUAL, NULL},   {"!=", SFMI_TOKEN_UNEQUAL, NULL},
               {"<=", SFMI_TOKEN_AT_MOST, NULL}, {">=", SFMI_TOKEN_AT_LEAST, NULL},
               {"<>", SFMI_TOKEN_END, "!="},     {"=<", SFMI_TOKEN_END, "<="},
               {"=>", SFMI_TOKEN_END, ">="},     {"&&", SFMI_TOKEN_END, "and"},
               {"||", SFMI_TOKEN_END, "or"},     {"<", SFMI_TOKEN_BELOW, NULL},
               {">", SFMI_TOKEN_ABOVE, NULL},    {"(", SFMI_TOKEN_OPEN, NULL},
               {")", SFMI_TOKEN_CLOSE, NULL},    {",", SFMI_TOKEN_COMMA, NULL},
               {"=", SFMI_TOKEN_END, "=="},      {"&", SFMI_TOKEN_END, "and"},
               {"|", SFMI_TOKEN_END, "or"},      {"!", SFMI_TOKEN_END, "not"}};
  const char *start = lexer->text + token->start;
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
    const size_t length = strlen(signs[i].sign);
    if (strncmp(start, signs[i].sign, length) != 0) continue;
    token->kind = signs[i].kind;
    token->length = length;
    if (!signs[i].instead) return SFM_OK;
    return sfmi_token_fail(lexer, token->start, "write %s instead of %s", signs[i].instead,
                           signs[i].sign);
  }
  return sfmi_token_fail(lexer, token->start,
                         "nothing begins with this character: columns, numbers, \"texts\", == != < "
                         "<= > >= in and or not ( ) are known");
}

sfm_status sfmi_token_next(sfmi_lexer *lexer, sfmi_token *token) {
  const char *text = lexer->text;
  while (is_space(text[lexer->at])) lexer->at++;
  const char first = text[lexer->at];
  sfm_status status = SFM_OK;
  token->kind = SFMI_TOKEN_END;
  token->start = lexer->at;
  token->length = 0;
  if (!first) return SFM_OK;
  if (first == '"' || first == '\'' || first == '`') {
    token->kind = first == '`' ? SFMI_TOKEN_NAME : SFMI_TOKEN_STRING;
    status = take_quoted(lexer, token, first, first == '`' ? '`' : '\\');
  } else if (sfmi_is_digit(first) || first == '-' || first == '+' || first == '.') {
    status = take_number(lexer, token);
  } else if (begins_name(first)) {
    take_word(lexer, token);
  } else {
    status = take_sign(lexer, token);
  }
  lexer->at += token->length;
  return status;
}
