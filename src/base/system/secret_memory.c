#include "secret_memory.h"

#include <sodium.h>
#include <stdint.h>
#include <string.h>

/* libsodium puts the end of the memory at the end of a page. */
enum { ALIGNMENT = 64 };

void *sfmi_secret_alloc(size_t count, size_t size) {
  size_t bytes;
  if (sodium_init() < 0 || __builtin_mul_overflow(count ? count : 1, size, &bytes) ||
      bytes > SIZE_MAX - ALIGNMENT)
    return NULL;
  bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  void *memory = sodium_malloc(bytes);
  if (memory) memset(memory, 0, bytes);
  return memory;
}

void sfmi_secret_free(void *memory) {
  sodium_free(memory);
}
