/* npy_header.h - the header of an NPY file, and its elements (internal part of sfumato/files.h). */
#ifndef SFMI_NPY_HEADER_H
#define SFMI_NPY_HEADER_H

#include <stdint.h>
#include <string.h>

#include "sfumato/files.h"

/* Bytes that the text of a header may have; numpy writes 128 for anything that can be read. */
#define SFMI_NPY_TEXT_MAX 4096

/* Whether these are the first bytes of an NPY file. */
bool sfmi_npy_begins(const void *bytes, size_t size);

/* The element's bits, in this machine's order, in the low bytes of a word. */
static inline uint64_t sfmi_npy_bits(size_t size, bool swapped, const unsigned char *bytes) {
  uint8_t one;
  uint16_t two;
  uint32_t four;
  uint64_t eight;
  switch (size) {
  case 1:
    memcpy(&one, bytes, 1);
    return one;
  case 2:
    memcpy(&two, bytes, 2);
    return swapped ? __builtin_bswap16(two) : two;
  case 4:
    memcpy(&four, bytes, 4);
    return swapped ? __builtin_bswap32(four) : four;
  default:
    memcpy(&eight, bytes, 8);
    return swapped ? __builtin_bswap64(eight) : eight;
  }
}

/* An element as a double.  kind: f, i or u. */
static inline double sfmi_npy_element(char kind, size_t size, bool swapped,
                                      const unsigned char *bytes) {
  uint64_t bits = sfmi_npy_bits(size, swapped, bytes);
  if (kind == 'f' && size == 8) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
  }
  if (kind == 'f') {
    uint32_t low = (uint32_t)bits;
    float value;
    memcpy(&value, &low, sizeof value);
    return value;
  }
  if (kind == 'u') return (double)bits;
  switch (size) {
  case 1:
    return (double)(int8_t)bits;
  case 2:
    return (double)(int16_t)bits;
  case 4:
    return (double)(int32_t)bits;
  default:
    return (double)(int64_t)bits;
  }
}

#endif
