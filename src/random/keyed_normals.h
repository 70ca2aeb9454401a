/* keyed_normals.h - secret normals as a function of a key and a node: the same key and node always
 * give the same normals, and without the key they are independent draws.  Idealised, as
 * idealised_draws.h says. */
#ifndef SFMI_KEYED_NORMALS_H
#define SFMI_KEYED_NORMALS_H

#include <stddef.h>
#include <stdint.h>

#include "stream.h"

#define SFMI_KEYED_NORMALS_MAX 6

/* count (1 to SFMI_KEYED_NORMALS_MAX) standard normals: ChaCha20 under the key with the node
 * (little endian) as nonce, by pairs of 64-bit words through the Box-Muller formula; fewer are the
 * first of more. Thread-safe. */
void sfmi_keyed_normals(const unsigned char key[SFMI_STREAM_KEY_BYTES], uint64_t node,
                        double *normals, size_t count);

#endif
