#include "thread.h"

#include <stddef.h>

/* Many times what our largest frames need together (CMakeLists.txt bounds each), and those of
 * OpenBLAS: half a megabyte for every halving in its LU factorisation by several threads.  Only
 * what is used of it becomes memory. */
static const size_t STACK = 16 << 20;

bool sfmi_thread_start(pthread_t *thread, void *(*body)(void *), void *context) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  const bool started = pthread_attr_setstacksize(&attributes, STACK) == 0 &&
                       pthread_create(thread, &attributes, body, context) == 0;
  pthread_attr_destroy(&attributes);
  return started;
}

void sfmi_thread_call(void *(*body)(void *), void *context) {
  pthread_t thread;
  if (sfmi_thread_start(&thread, body, context))
    pthread_join(thread, NULL);
  else
    (void)body(context);
}
