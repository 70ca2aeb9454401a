#include "option_help.h"

#include <string.h>

#include "text.h"

enum { HELP_WIDTH = 80, HELP_INDENT = 24 };

static void print_entry(FILE *out, const char *head, const char *help, const char *fallback) {
  char text[2048];
  snprintf(text, sizeof text, "%s%s%s%s", help, fallback ? " [default: " : "",
           fallback ? fallback : "", fallback ? "]" : "");
  fprintf(out, "  %s", head);
  size_t column = 2 + strlen(head);
  if (column + 2 > HELP_INDENT) {
    fputc('\n', out);
    column = 0;
  }
  fprintf(out, "%*s", (int)(HELP_INDENT - column), "");
  text_print_wrapped(out, text, HELP_INDENT, HELP_INDENT, HELP_WIDTH);
}

/* What the operands of many verbs are. */
static const struct {
  const char *name, *help;
} operands[] = {
    {"ROWS", "CSV with a header line (plain or gzip), or NPY; - is standard input"},
    {"LEDGER", "the ledger, one file, for its owner alone or shared with a group"},
    {"SESSION", "the file of the session, usually named *.sfs: PRIVATE, for its owner alone"}};

/* Calls print for the operand, unless it is NULL; own is what the verb says of it, or NULL. */
static void print_operand(FILE *out, const char *name, const char *own,
                          void (*print)(FILE *, const char *, const char *, const char *)) {
  for (size_t i = 0; name && !own && i < sizeof operands / sizeof *operands; i++)
    if (strcmp(operands[i].name, name) == 0) own = operands[i].help;
  if (name) print(out, name, own, NULL);
}

static void option_head(char *head, size_t size, const cli_option *o) {
  char letter[8] = "";
  if (o->letter) snprintf(letter, sizeof letter, "-%c, ", o->letter);
  snprintf(head, size, "%s--%s%s%s", letter, o->name, o->argument ? " " : "",
           o->argument ? o->argument : "");
}

/* Calls print for each line of text. */
static void each_line(FILE *out, const char *text, void (*print)(FILE *, const char *)) {
  while (*text) {
    char line[2048];
    size_t length = strcspn(text, "\n");
    snprintf(line, sizeof line, "%.*s", (int)length, text);
    print(out, line);
    text += length + (text[length] == '\n');
  }
}

static void print_paragraph(FILE *out, const char *line) {
  text_print_wrapped(out, line, 0, 0, HELP_WIDTH);
}

static void print_command(FILE *out, const char *line) {
  fprintf(out, "  %s\n", line);
}

void options_print_help(const cli_verb *verb, FILE *out) {
  cli_option list[CLI_MAX_OPTIONS + 1];
  char head[96];
  options_unfold(list, verb->options);
  fprintf(out, "sfumato %s - %s\n\nusage: ", verb->name, verb->summary);
  snprintf(head, sizeof head, "sfumato %s ", verb->name);
  fputs(head, out);
  text_print_wrapped(out, verb->usage, 7 + strlen(head), 9, HELP_WIDTH);
  fputc('\n', out);
  print_operand(out, verb->operand, verb->operand_help, print_entry);
  print_operand(out, verb->second, verb->second_help, print_entry);
  if (verb->operand) fputc('\n', out);
  fputs("options:\n", out);
  for (const cli_option *o = list; o->name; o++) {
    option_head(head, sizeof head, o);
    print_entry(out, head, o->help, o->fallback);
  }
  print_entry(out, "-h, --help", "print this help", NULL);
  if (verb->about) {
    fputc('\n', out);
    each_line(out, verb->about, print_paragraph);
  }
  fputs("\nexample:\n", out);
  each_line(out, verb->example, print_command);
}

/* Text for roff: backslashes and dashes escaped, no line that starts with a control character. */
static void print_roff(FILE *out, const char *text) {
  if (*text == '.' || *text == '\'') fputs("\\&", out);
  for (; *text; text++) {
    if (*text == '\\')
      fputs("\\e", out);
    else if (*text == '-')
      fputs("\\-", out);
    else
      fputc(*text, out);
  }
}

static void print_roff_paragraph(FILE *out, const char *line) {
  if (!*line) return;
  fputs(".PP\n", out);
  print_roff(out, line);
  fputc('\n', out);
}

static void print_roff_command(FILE *out, const char *line) {
  print_roff(out, line);
  fputc('\n', out);
}

static void print_roff_entry(FILE *out, const char *head, const char *help, const char *fallback) {
  fputs(".TP\n.B ", out);
  print_roff(out, head);
  fputc('\n', out);
  print_roff(out, help);
  if (fallback) {
    fputs(" [default: ", out);
    print_roff(out, fallback);
    fputc(']', out);
  }
  fputc('\n', out);
}

void options_print_manual(const cli_verb *verb, FILE *out) {
  cli_option list[CLI_MAX_OPTIONS + 1];
  char head[96];
  options_unfold(list, verb->options);
  fprintf(out, ".SS sfumato %s\n.B sfumato %s\n", verb->name, verb->name);
  print_roff(out, verb->usage);
  fputs("\n.PP\n", out);
  print_roff(out, verb->summary);
  fputs(".\n", out);
  print_operand(out, verb->operand, verb->operand_help, print_roff_entry);
  print_operand(out, verb->second, verb->second_help, print_roff_entry);
  for (const cli_option *o = list; o->name; o++) {
    option_head(head, sizeof head, o);
    print_roff_entry(out, head, o->help, o->fallback);
  }
  if (verb->about) each_line(out, verb->about, print_roff_paragraph);
  fputs(".PP\nExample:\n.PP\n.nf\n", out);
  each_line(out, verb->example, print_roff_command);
  fputs(".fi\n", out);
}
