/* team.h - threads that stay: a piece of work too short for starting a thread is shared by some
 * that wait for it. */
#ifndef SFMI_TEAM_H
#define SFMI_TEAM_H

#include "base/fail.h"

#define SFMI_TEAM_MAX 8

typedef struct sfmi_team sfmi_team;

/* How many threads that many are: 0 stands for as many as there are processors; at most
 * SFMI_TEAM_MAX. */
size_t sfmi_team_threads(size_t asked);

/* NULL when memory is short.  Where a thread cannot be started, its share is done by the caller:
 * what is computed does not depend on it. */
sfmi_team *sfmi_team_create(size_t threads);
void sfmi_team_destroy(sfmi_team *team);
size_t sfmi_team_size(const sfmi_team *team);

/* Calls body(context, index, size) for every index below the team's size, each in a thread, and
 * returns when all have returned.  By one thread at a time. */
void sfmi_team_run(sfmi_team *team, void (*body)(void *context, size_t index, size_t size),
                   void *context);

#endif
