/* speed.h - a million questions to durable sessions, in batches. */
#ifndef SPEED_H
#define SPEED_H

/* The folder is where sessions are written, and removed from. */
void speed_measure(const char *folder);

#endif
