#include "remark_line.h"

#include <stdint.h>

#include "cli/core/field_words.h"
#include "cli/core/text.h"

static void show(void *data, const char *sentence) {
  const cli_verb *verb = data, *const verbs[] = {verb, NULL};
  char text[SFM_MESSAGE_MAX];
  field_words(text, sizeof text, sentence, verb, verbs);
  text_print_labelled(stderr, "note", text);
}

void remark_line_begin(sfm_context *context, const cli_verb *verb) {
  context->remark = show;
  context->remark_data = (void *)(uintptr_t)verb;
}
