/* session_speed.h - a million questions to durable sessions, in batches. */
#ifndef SESSION_SPEED_H
#define SESSION_SPEED_H

/* The folder is where sessions are written, and removed from. */
void session_speed_measure(const char *folder);

#endif
