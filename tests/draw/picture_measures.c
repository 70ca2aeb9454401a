#include "picture_measures.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <cmocka.h>

char *picture_read_file(const char *path, size_t *length) {
  FILE *f = fopen(path, "rb");
  if (!f) return NULL;
  fseek(f, 0, SEEK_END);
  *length = (size_t)ftell(f);
  rewind(f);
  char *bytes = calloc(*length + 1, 1);
  if (bytes && fread(bytes, 1, *length, f) != *length) {
    free(bytes);
    bytes = NULL;
  }
  fclose(f);
  return bytes;
}

size_t picture_count(const char *text, const char *word) {
  size_t count = 0;
  for (const char *at = text; (at = strstr(at, word)); at += strlen(word)) count++;
  return count;
}

/* Copies what is between two marks, read back. */
static char *copy_words(char *to, const char *from, const char *end) {
  static const char *const marks[][2] = {{"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}};
  while (from < end) {
    if (*from == '<') { /* a tspan */
      from = strchr(from, '>') + 1;
      continue;
    }
    size_t k = 0;
    while (k < 3 && strncmp(from, marks[k][0], strlen(marks[k][0])) != 0) k++;
    *to++ = k < 3 ? *marks[k][1] : *from;
    from += k < 3 ? strlen(marks[k][0]) : 1;
  }
  return to;
}

char *picture_words(const char *svg) {
  char *words = malloc(strlen(svg) + 1), *to = words;
  assert_non_null(words);
  for (const char *at = svg; (at = strstr(at, "<text"));) {
    const char *begin = strchr(at, '>') + 1, *end = strstr(begin, "</text>");
    assert_non_null(end);
    to = copy_words(to, begin, end);
    *to++ = '\n';
    at = end;
  }
  *to = 0;
  return words;
}

void picture_measure_text(const char *text, unsigned *columns, unsigned *rows) {
  mbstate_t shift = {0};
  unsigned column = 0;
  *columns = *rows = 0;
  while (*text) {
    if (*text == '\033') {
      assert_int_equal(text[1], '[');
      text += 2 + strspn(text + 2, "0123456789;");
      assert_int_equal(*text++, 'm');
      continue;
    }
    if (*text == '\n') {
      ++*rows;
      column = 0;
      text++;
      continue;
    }
    wchar_t code;
    size_t n = mbrtowc(&code, text, 4, &shift);
    assert_true(n > 0 && n <= 4);
    int wide = wcwidth(code);
    assert_true(wide >= 0); /* no control characters */
    column += (unsigned)wide;
    if (column > *columns) *columns = column;
    text += n;
  }
  assert_int_equal(column, 0); /* the last row is ended */
}
