#include "utf8.h"

size_t sfmi_utf8_length(const char *text) {
  unsigned char first = (unsigned char)text[0];
  size_t length = first < 0x80       ? 1
                  : first >> 5 == 6  ? 2
                  : first >> 4 == 14 ? 3
                  : first >> 3 == 30 ? 4
                                     : 0;
  if (length == 2 && first < 0xc2) return 0;
  for (size_t i = 1; i < length; i++)
    if (((unsigned char)text[i] & 0xc0) != 0x80) return 0;
  unsigned char second = length > 1 ? (unsigned char)text[1] : 0;
  if (first == 0xe0 && second < 0xa0) return 0;
  if (first == 0xed && second > 0x9f) return 0; /* surrogates */
  if (first == 0xf0 && second < 0x90) return 0;
  if (first > 0xf4 || (first == 0xf4 && second > 0x8f)) return 0;
  return length;
}

bool sfmi_utf8_valid(const char *text) {
  while (*text) {
    size_t length = sfmi_utf8_length(text);
    if (length == 0) return false;
    text += length;
  }
  return true;
}
