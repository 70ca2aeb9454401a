/* sort.h - sorting numbers in ascending order. */
#ifndef SFMI_SORT_H
#define SFMI_SORT_H

#include <stddef.h>
#include <stdint.h>

void sfmi_sort_doubles(double *values, size_t count);

/* Sorts many whole numbers, with one pass for every eight bits in which they differ.  scratch has
 * room for count numbers. */
void sfmi_radix_sort(uint64_t *keys, uint64_t *scratch, size_t count);

#endif
