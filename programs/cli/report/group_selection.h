/* group_selection.h - --group: which groups of a release are meant; and groups in words. */
#ifndef CLI_GROUP_SELECTION_H
#define CLI_GROUP_SELECTION_H

#include "cli/core/options.h"
#include "sfumato/release.h"

#define CLI_OPTION_GROUP                                                                           \
  {                                                                                                \
    "group", "A,B...",                                                                             \
        "for a release by groups: one category per column, in order, or COLUMN=A,...; a column "   \
        "that is left out means all of its categories; may be repeated",                           \
        "all groups"                                                                               \
  }

/* The same where one is wanted. */
#define CLI_OPTION_ONE_GROUP                                                                       \
  {                                                                                                \
    "group", "A,B",                                                                                \
        "for a release by groups: only this group, one category per column, in order (or "         \
        "COLUMN=A,...)"                                                                            \
  }

/* Groups of a release, in ascending order. */
typedef struct group_selection {
  size_t *groups;
  size_t count;
} group_selection;

/* Those that --group names, or all; none when the release is not by groups, and then --group is
 * refused.  Clear with group_selection_clear, also after a failure. */
SFM_MUST_CHECK sfm_status group_selection_read(group_selection *out, const sfm_release *release,
                                               const cli_options *options, sfm_error *error);
void group_selection_clear(group_selection *g);

/* Puts the one group that --group names, as a release of its own, in the place of the release. */
SFM_MUST_CHECK sfm_status group_selection_take(sfm_release **release, const cli_options *options,
                                               sfm_error *error);

/* "F, north". */
void group_label_text(char *buffer, size_t size, const sfm_release *release, size_t g);
/* "sex, region". */
void group_columns_text(char *buffer, size_t size, const sfm_release *release);

#endif
