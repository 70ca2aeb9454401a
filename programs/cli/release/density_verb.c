/* density_verb.c - sfumato density: private rows in, a released density out.
 *
 * Order: every option, the schema and the output path are checked here, and the ledger is opened;
 * the header, the count of lines (replace only, where it is public) and the planner's choice are
 * the library's first steps; then it charges; and only then are rows read. */
#include <math.h>
#include <string.h>

#include "cli/core/text.h"
#include "cli/partial/partial_files.h"
#include "cli/report/report.h"
#include "cli/request/density_options.h"
#include "partial_command.h"
#include "release_command.h"

static const cli_option options_asked[] = {
    CLI_GROUP(columns),
    {"bandwidth", "H[,H...]|auto|choose:H,H[,H...]",
     "standard deviation of the Gaussian kernel (or the length of another kernel) in the column's "
     "unit: one number for all columns, or one per column; public. auto: the best bandwidth for "
     "the shape and the public number of records (under add-remove: --expect). choose: one of the "
     "candidates is chosen privately, which costs a part of the budget; with several columns a "
     "candidate is written 2x0.5",
     "auto"},
    CLI_SAME(choice_share),
    CLI_SAME(shape),
    CLI_GROUP(density),
    CLI_SAME(expect),
    {0},
};
static const cli_option options_table[] = {
    CLI_GROUP(asked), CLI_GROUP(partials), CLI_SAME(check), CLI_GROUP(release), {0}};
static const cli_option partial_table[] = {CLI_GROUP(asked), CLI_GROUP(part), {0}};

/* What is asked, and what the library chose from public numbers. */
typedef struct density_request {
  density_options of;
  sfm_density_choice plan;
} density_request;

static sfm_status read_request(release_task *task, sfm_error *error) {
  return density_options_read(&((density_request *)task->request)->of, task->options, error);
}

static sfm_status release(release_task *task, sfm_rows *rows, sfm_error *error) {
  density_request *r = task->request;
  return sfm_density_release(&task->release, &r->plan, rows, &r->of.settings, error);
}

static sfm_status make_partial(sfm_partial **out, const release_task *task, const sfm_part *part,
                               sfm_error *error) {
  return sfm_density_partial_create(out, &((density_request *)task->request)->of.settings, part,
                                    error);
}

static void clear(void *request) {
  density_options_clear(&((density_request *)request)->of);
}

static bool by_terms(sfm_density_method method) {
  return method == SFM_DENSITY_FOURIER_LAPLACE || method == SFM_DENSITY_CARATHEODORY;
}

/* plan is NULL when no number of records was there to predict with. */
static void report_plan(const sfm_release *release, const sfm_density_choice *plan,
                        const char *path) {
  char text[512];
  if (plan)
    snprintf(text, sizeof text,
             "the plan expected an error of %.3g from privacy (root integrated squared error over "
             "the domain%s)",
             sqrt(plan->privacy),
             sfm_release_group_count(release) > 1 ? ", for groups of the same size" : "");
  if (plan && plan->engine == SFM_ENGINE_RANDOM)
    text_add(text, sizeof text, ", of %.3g from the approximation by random features",
             sqrt(plan->truncation));
  if (plan && by_terms(plan->method))
    text_add(text, sizeof text, ", of %.3g from frequencies left out", sqrt(plan->truncation));
  if (plan && plan->seconds >= 1)
    text_add(text, sizeof text, "; time: about %.2g s on one processor", plan->seconds);
  report_written(stderr, release, path, plan ? text : NULL);
}

/* Whether there was a number of records to predict with. */
static bool planned(const sfm_release *release, const sfm_density_settings *settings) {
  return sfm_release_neighbours(release) == SFM_NEIGHBOURS_REPLACE || settings->expected_rows;
}

/* A bandwidth that was not stated: its value, and what it is best for. */
static void report_bandwidth(const sfm_release *release, const cli_options *options) {
  const char *shape = options_get(options, "shape");
  char numbers[256] = "", name[200];
  for (size_t a = 0; a < sfm_release_dimension(release) && strlen(numbers) < 200; a++)
    text_add(numbers, sizeof numbers, "%s%.6g", a ? ", " : "", sfm_release_bandwidth(release, a));
  text_harmless(name, sizeof name,
                shape ? shape
                      : "the reference shape, a normal density in the middle of the domain");
  text_say(stderr, "bandwidth",
           "%s, chosen before reading rows: the best for %s; --bandwidth H sets another", numbers,
           name);
}

/* Whether neighbouring points of a grid of values are more than a bandwidth apart. */
static bool too_coarse(const sfm_release *release) {
  size_t counts[SFM_MAX_DIMENSION];
  double lower, upper;
  if (!sfm_release_grid(release, counts)) return false;
  for (size_t a = 0; a < sfm_release_dimension(release); a++) {
    sfm_release_bounds(release, &lower, &upper, a);
    if ((upper - lower) / (double)(counts[a] - 1) > sfm_release_bandwidth(release, a)) return true;
  }
  return false;
}

/* What happens at the bounds, where nobody said it. */
static void report_edges(const sfm_release *release, const cli_options *options) {
  char text[512] = "";
  bool reflects = false;
  for (size_t a = 0; a < sfm_release_dimension(release); a++)
    reflects = reflects || sfm_release_boundary(release, a) == SFM_BOUNDARY_REFLECT;
  if (!options_given(options, "outside"))
    text_add(text, sizeof text,
             "a row outside them is ignored (--outside clamp: the bound takes its place)");
  if (!options_given(options, "boundary"))
    text_add(text, sizeof text, "%s%s", *text ? "; " : "",
             reflects ? "what smoothing carries beyond them is folded back (--boundary open: it is "
                        "cut off)"
                      : "what smoothing carries beyond them is cut off");
  if (*text) text_say(stderr, "bounds", "%s", text);
}

/* What is allowed but probably a mistake. */
static void report_doubts(const sfm_release *release, const sfm_density_settings *settings) {
  const sfm_guarantee g = sfm_release_guarantee(release);
  if (settings->delta > 0 && g.kind == SFM_GUARANTEE_PURE)
    text_print_labelled(stderr, "note",
                        by_terms(settings->method)
                            ? "delta was not used: the guarantee of this method is pure"
                            : "delta was not used: the guarantee of the lattice method is pure");
  if (settings->method == SFM_DENSITY_CARATHEODORY)
    text_print_labelled(stderr, "note",
                        settings->body == SFM_DENSITY_BODY_HULL
                            ? "idealised: the noise is made of floating-point numbers and is "
                              "private only in exact arithmetic. It is drawn by a random walk "
                              "whose mixing is measured, not proved (--method lattice is hardened)"
                            : "idealised: the noise is made of floating-point numbers and is "
                              "private only in exact arithmetic (--method lattice is hardened)");
  if (too_coarse(release))
    text_print_labelled(stderr, "note",
                        "the points of this release are farther apart than the bandwidth, so "
                        "little is known between them; a finer --release-grid costs no privacy");
  row_options_warn(settings->context.schema);
}

static void report(const release_task *task) {
  const sfm_release *release = task->release;
  const density_request *r = task->request;
  const sfm_density_settings *settings = &r->of.settings;
  report_plan(release, planned(release, settings) ? &r->plan : NULL, task->path);
  if (!settings->bandwidth && !settings->candidates) report_bandwidth(release, task->options);
  report_edges(release, task->options);
  bandwidth_choice_print(stderr, release);
  report_doubts(release, settings);
  report_next(stderr, release, task->path);
}

static const release_command command = {RELEASE_REQUEST(density_request, of.settings.context),
                                        .output = "density.sfm",
                                        .read = read_request,
                                        .release = release,
                                        .partial = make_partial,
                                        .report = report,
                                        .clear = clear};

const cli_verb verb_density = {
    .name = "density",
    .summary = "release the density of one or more columns",
    .usage = "ROWS --columns NAMES --bounds A:B --epsilon E [--bandwidth H] [options] -o FILE",
    .operand = "ROWS",
    .instead = "partials",
    .options = options_table,
    .about =
        "Private: the rows, and under add-remove their number. A row is ignored if a value "
        "is outside its bounds (with --outside clamp the bound takes its place), or if a cell is "
        "empty or not a number, or if its category was not stated. Under replace an ignored "
        "row still counts in the number of rows. No message, exit code or output depends on "
        "the contents of a row, except through the noise. (With --ledger, exit code 3 after "
        "the charge tells the owner that the rows are not the rows of the earlier releases.)\n"
        "Public: everything you write here (columns, bounds, bandwidth, epsilon, delta, ...), "
        "and under replace the number of rows. The release contains all of it.",
    .example =
        "sfumato density rows.csv --columns age --bounds 0:100 --bandwidth 4 --epsilon 1 -o "
        "age.sfm\n"
        "sfumato density rows.csv --columns age --bounds 0:100 --bandwidth 4 --by sex,region "
        "--categories 'sex=F|M' --categories region=@regions.txt --epsilon 1 -o groups.sfm\n"
        "sfumato density rows.csv --columns lon,lat --bounds -74.3:-73.7,40.5:40.9 --bandwidth "
        "0.01 --epsilon 1 -o map.sfm\n"
        "sfumato density rows.csv --columns hour --bounds 0:24 --boundary periodic --bandwidth 1 "
        "--epsilon 1 -o hour.sfm\n"
        "sfumato density rows.csv --columns age --bounds 0:100 --bandwidth 4 --epsilon 1 --delta "
        "1e-6 --method gp --kernel laplacian -o age.sfm\n"
        "sfumato density rows.csv --columns age --bounds 0:100 --bandwidth 4 --epsilon 1 --delta "
        "1e-6 --method sobolev:0.2 -o age.sfm",
    .command = &command,
};

const cli_verb verb_partial_density = {
    .name = "partial density",
    .summary = "sums over a part of the rows, for a density",
    .usage = "ROWS --part I/P --rows N --columns NAMES --bounds A:B --epsilon E [options] -o FILE",
    .operand = "ROWS",
    .options = partial_table,
    .refused = options_part_refused,
    .about =
        PARTIAL_ABOUT "\nA bandwidth that is chosen among candidates (choose:) needs the rows.",
    .example =
        "sfumato partial density north.csv --part 1/2 --rows 20000 --columns age --bounds 0:100 "
        "--bandwidth 4 --epsilon 1 -o part-1.sfp\n"
        "sfumato density --partials 'part-*.sfp' --columns age --bounds 0:100 --bandwidth 4 "
        "--epsilon 1 -o age.sfm",
    .publishes_nothing = true,
    .run = partial_command_run,
    .command = &command,
};
