#include "wipe.h"

#include <stdlib.h>
#include <string.h>

void sfmi_wipe_free(void *memory, size_t count, size_t size) {
  if (memory) explicit_bzero(memory, count * size);
  free(memory);
}
