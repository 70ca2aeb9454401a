/* request.h - what the client of the command server sends: one `request_head`, with its four files
 * (standard input, output, errors, the working folder) as SCM_RIGHTS, then `size` bytes: the words
 * and the environment, each string with its zero byte.  The answer is the wait status, an int. */
#ifndef TEST_REQUEST_H
#define TEST_REQUEST_H

#include <stdint.h>
#include <sys/resource.h>

enum { REQUEST_FILES = 4, REQUEST_LIMITS = RLIM_NLIMITS };

typedef struct request_head {
  uint32_t words, variables; /* how many strings of each */
  uint32_t size;
  uint32_t mask; /* the umask */
  struct rlimit limits[REQUEST_LIMITS];
} request_head;

#endif
