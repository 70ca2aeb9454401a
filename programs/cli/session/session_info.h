/* session_info.h - what is public of a session, in words and as JSON. */
#ifndef CLI_SESSION_INFO_H
#define CLI_SESSION_INFO_H

#include "point_stream.h"
#include "sfumato/online.h"

/* Its variables and their bounds; names are borrowed from the session. */
void session_info_domain(point_domain *domain, const sfm_online *session);

/* "the next answer takes 4.0 million multiplications and 16 kB". */
void session_info_cost(char *out, size_t size, const sfm_online_facts *facts);

/* What is known of it, line by line; one JSON object on one line. */
void session_info_print(FILE *out, const sfm_online *session);
SFM_MUST_CHECK sfm_status session_info_print_json(const sfm_online *session, sfm_error *error);

#endif
