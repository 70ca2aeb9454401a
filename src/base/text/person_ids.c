#include "person_ids.h"

#include <string.h>

static const char *const words[] = {"text", "number", "value"};

const char *sfmi_person_ids_word(sfmi_person_ids ids) {
  return words[ids];
}

bool sfmi_person_ids_read(sfmi_person_ids *ids, const char *word) {
  for (*ids = SFMI_IDS_TEXT; *ids < SFMI_IDS_COUNT; ++*ids)
    if (word && strcmp(word, words[*ids]) == 0) return true;
  *ids = SFMI_IDS_TEXT;
  return false;
}
