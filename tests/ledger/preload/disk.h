/* disk.h - what is left of a folder when the power fails.
 *
 * Beside a folder F lies F.disk:
 *   i<inode>   the bytes of that file when it was last synced
 *   entries    "inode name" of every entry when the folder was last synced
 *   k<inode>   a link that keeps a removed file's inode from being given to another one while
 *              `entries` still speaks of it
 * A sync of a file brings i<inode> up to date, a sync of the folder brings `entries` up to date;
 * nothing else does.  So a file that was made, synced, but whose folder was not, is lost; so are
 * removals and renames. */
#ifndef TESTS_LEDGER_DISK_H
#define TESTS_LEDGER_DISK_H

#include <stdint.h>

#include "interpose.h"

/* All functions abort when they cannot do it: a test bench that is broken says so. */

/* What is in the folder now is durable. */
INTERPOSE_API void disk_begin(const char *folder);
INTERPOSE_API void disk_end(const char *folder);

/* The power fails: seed 0 loses everything that was not durable; another seed decides for each
 * entry, each file's length and each sector of 512 bytes whether the new one had reached the disk
 * or the old one is still there.  Then all of it is durable. */
INTERPOSE_API void disk_cut(const char *folder, uint64_t seed);

/* For the interposed calls. */
void disk_created(const char *folder, int descriptor);
void disk_leaving(const char *folder, const char *path);
void disk_synced(const char *folder, int descriptor);
void disk_synced_folder(const char *folder);

#endif
