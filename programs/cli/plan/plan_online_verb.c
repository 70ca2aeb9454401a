/* plan_online_verb.c - sfumato plan online: what a session would be like that answers so many
 * questions. */
#include "cli/request/density_options.h"
#include "cli/request/remark_line.h"
#include "plan_report.h"
#include "cli/core/verbs.h"

static const cli_option options_table[] = {
    CLI_SAME(n),
    {"questions", "Q", "how many questions the session will answer",
     CLI_COUNT(1, UINT64_C(1) << 50),
     .missing = "how many questions the session will answer; write for example --questions 1000"},
    CLI_SAME(bounds),
    CLI_SAME(columns),
    CLI_SAME(schema),
    {"bandwidth", "H[,H...]|auto",
     "width of the kernel in the column's unit, one for all columns or one per column; auto: the "
     "best for each engine",
     "auto"},
    CLI_SAME(shape),
    CLI_SAME(kernel),
    {"engine", "auto|spectral|markov|gram",
     "how the noise is drawn; spectral: gaussian kernel, the whole function at once; markov: "
     "laplacian and matern kernels of one variable; gram: any kernel, each answer slower than the "
     "one before",
     "auto", CLI_WORDS("auto", "spectral", "", "markov", "gram")},
    CLI_GROUP(online),
    CLI_GROUP(plan),
    {0},
};

static sfm_status read_session(density_options *c, uint64_t *questions, const cli_options *options,
                               sfm_error *error) {
  sfm_density_settings *s = &c->settings;
  sfm_status status = options_take(options, questions, "questions", error);
  if (!status) status = row_options_read(s, &c->schema_options, options, error);
  if (!status)
    status = row_options_read_bandwidth(s, &c->schema_options, c->bandwidth, true, options, error);
  if (!status) status = boundary_option_read(s, &c->edges, options, error);
  if (!status) status = shape_option_read(&c->shape, s->dimension, options, error);
  s->shape = c->shape;
  s->method = SFM_DENSITY_GP;
  return status;
}

static sfm_status plan(plan_request *p, sfm_error *error) {
  density_options c = {0};
  uint64_t questions = 0;
  sfm_status status = read_session(&c, &questions, p->options, error);
  if (!status) {
    plan_request_fill(p, "a session on the density of", &c.settings);
    if (p->neighbours == SFM_NEIGHBOURS_ADD_REMOVE) c.settings.expected_rows = p->rows;
    remark_line_begin(&c.settings.context, p->options->verb);
    status = sfm_plan_online(&p->plan, &c.settings, p->rows, questions, error);
  }
  status = plan_report_show(p, status, error);
  density_options_clear(&c);
  return status;
}

static const plan_request asked = {.plan_by = plan,
                                   .verb = "online open",
                                   .input = "SESSION ROWS",
                                   .choice = "engine",
                                   .apart = (const char *const[]){"questions", "shape", NULL},
                                   PLAN_OF_DENSITY};

const cli_verb verb_plan_online = {
    .name = "plan online",
    .summary = "the engines that could answer so many questions, and their error",
    .usage = "--n N --questions Q --bounds A:B --epsilon E --delta D [options]",
    .options = options_table,
    .about = CLI_PLAN_ABOUT,
    .example = "sfumato plan online --n 5000 --questions 1000 --bounds 0:100 --bandwidth 4 "
               "--epsilon 1 --delta 1e-6 --kernel matern32",
    .run = plan_report_run,
    .plan = &asked,
};
