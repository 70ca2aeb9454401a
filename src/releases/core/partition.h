/* partition.h - the groups of a release: the columns that make them, and their categories. */
#ifndef SFMI_PARTITION_H
#define SFMI_PARTITION_H

#include <stdbool.h>
#include <stddef.h>

/* Most columns of groups, and most groups. */
#define SFMI_BY_MAX 8
#define SFMI_GROUPS_MAX 100000

/* The columns that make groups and their categories, owned. */
typedef struct sfmi_partition {
  size_t count; /* columns; 0: no groups */
  char *columns[SFMI_BY_MAX];
  char **labels[SFMI_BY_MAX];
  size_t sizes[SFMI_BY_MAX]; /* categories of each */
} sfmi_partition;

/* How many groups: 1 where there are none. */
size_t sfmi_partition_groups(const sfmi_partition *partition);
/* A copy; false when memory is short (what was copied is to be cleared). */
bool sfmi_partition_copy(sfmi_partition *out, const sfmi_partition *partition);

void sfmi_partition_clear(sfmi_partition *partition);

#endif
