/* hex.h - bytes as hexadecimal digits, and back. */
#ifndef SFMI_HEX_H
#define SFMI_HEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* 2 size digits, lower case, and a NUL. */
static inline void sfmi_hex_write(char *text, const uint8_t *bytes, size_t size) {
  static const char digits[] = "0123456789abcdef";
  for (size_t i = 0; i < size; i++) {
    text[2 * i] = digits[bytes[i] >> 4];
    text[2 * i + 1] = digits[bytes[i] & 15];
  }
  text[2 * size] = '\0';
}

static inline int sfmi_hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Exactly 2 size digits from *at, which moves behind them; false when there is anything else. */
static inline bool sfmi_hex_read(uint8_t *bytes, size_t size, const char **at) {
  for (size_t i = 0; i < size; i++) {
    const int high = sfmi_hex_digit((*at)[0]), low = high < 0 ? -1 : sfmi_hex_digit((*at)[1]);
    if (low < 0) return false;
    bytes[i] = (uint8_t)(high << 4 | low);
    *at += 2;
  }
  return true;
}

#endif
