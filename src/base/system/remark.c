#include "remark.h"

#include <stdarg.h>

#include "c_locale.h"

void sfmi_remark(const sfm_context *context, const char *format, ...) {
  char text[SFM_MESSAGE_MAX];
  va_list arguments;
  if (!context->remark) return;
  va_start(arguments, format);
  sfmi_vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  context->remark(context->remark_data, text);
}
