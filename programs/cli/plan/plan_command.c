#include "plan_command.h"

#include <inttypes.h>
#include <string.h>

#include "cli/core/text.h"

/* A word as a shell takes it. */
static void put_word(FILE *out, const char *word) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                              "_./:,=@%+-";
  fputc(' ', out);
  if (*word && strspn(word, plain) == strlen(word)) {
    fputs(word, out);
    return;
  }
  fputc('\'', out);
  for (; *word; word++) fputs(*word == '\'' ? "'\\''" : (char[]){*word, 0}, out);
  fputc('\'', out);
}

static void put_option(FILE *out, const char *name, const char *value) {
  fprintf(out, " --%s", name);
  if (value) put_word(out, value);
}

bool plan_option_given(const plan_request *p, const char *name) {
  const char *value = options_declared(p->options, name) ? options_get(p->options, name) : NULL;
  return value && strcmp(value, "auto") != 0;
}

bool plan_option_shared(const plan_request *p, const char *name) {
  return plan_option_given(p, name) && !text_is_among(name, p->apart);
}

static void put_asked(FILE *out, const plan_request *p) {
  static const char *const never[] = {"n", "error", "plot", "json", NULL};
  for (const cli_option *o = p->options->list; o->name; o++) {
    const char *value = options_get(p->options, o->name);
    size_t at = 0;
    if (!value || text_is_among(o->name, never) || text_is_among(o->name, p->apart) ||
        strcmp(value, "auto") == 0)
      continue;
    if (!o->argument)
      put_option(out, o->name, NULL);
    else if (strcmp(o->name, "categories") == 0) /* their own commas stay apart */
      while ((value = options_next(p->options, o->name, &at))) put_option(out, o->name, value);
    else
      put_option(out, o->name, value);
  }
}

static bool has_parameter(const sfm_plan_entry *entry, const char *name) {
  for (size_t i = 0; i < entry->parameter_count; i++)
    if (strcmp(entry->parameters[i].name, name) == 0) return true;
  return false;
}

static void put_chosen(FILE *out, const plan_request *p, const sfm_plan_entry *entry) {
  char text[64 * SFM_MAX_DIMENSION];
  if (p->selection.count) return; /* every candidate has its own */
  if (p->choice && !plan_option_given(p, p->choice) && !has_parameter(entry, p->choice))
    put_option(out, p->choice, entry->method);
  for (size_t i = 0; i < entry->parameter_count; i++) {
    const sfm_plan_parameter *parameter = &entry->parameters[i];
    if (!parameter->option || !options_declared(p->options, parameter->name) ||
        plan_option_shared(p, parameter->name))
      continue;
    plan_numbers_text(text, sizeof text, parameter, 0);
    text_short_power(text);
    const char *word = parameter->text ? parameter->text : text;
    put_option(out, parameter->name, *word ? word : NULL);
  }
}

/* Columns that the plan made up are for the reader to name. */
static void put_columns(FILE *out, const plan_request *p) {
  if (!p->columns || p->extra || plan_option_given(p, "columns")) return;
  fputs(" --columns COLUMN", out);
  for (size_t a = 1; a < p->dimension; a++) fputs(",COLUMN", out);
}

sfm_status plan_command_text(char **out, const plan_request *p, const sfm_plan_entry *entry,
                             sfm_error *error) {
  size_t size;
  *out = NULL;
  FILE *text = open_memstream(out, &size);
  if (!text) return cli_fail_memory(error);
  if (p->before) p->before(text, p, entry);
  fprintf(text, "sfumato %s %s", p->verb, p->input);
  put_columns(text, p);
  if (p->extra) fprintf(text, " %s", p->extra);
  put_asked(text, p);
  if (p->neighbours == SFM_NEIGHBOURS_ADD_REMOVE && p->people && !p->tabular)
    fprintf(text, " --expect %" PRIu64, p->rows);
  put_chosen(text, p, entry);
  if (p->output) fprintf(text, " -o %s", p->output);
  return fclose(text) ? cli_fail_memory(error) : SFM_OK;
}
