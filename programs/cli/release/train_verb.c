/* train_verb.c - sfumato train: private rows in, a kernel machine out.
 *
 * Order as for a density: every option, the schema and the output path are checked here, and the
 * ledger is opened; the header and the count of lines are the library's first steps; then it
 * charges; and only then are rows read. */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "cli/partial/partial_files.h"
#include "cli/request/row_options.h"
#include "cli/formats/public_points_check.h"
#include "cli/report/report.h"
#include "cli/request/train_assumptions.h"
#include "cli/request/tdil_text.h"
#include "cli/core/text.h"
#include "cli/core/verbs.h"
#include "cli/report/machine_fit_text.h"
#include "cli/report/machine_text.h"
#include "release_command.h"

static const cli_option options_table[] = {
    CLI_GROUP(train),
    CLI_SAME(compression),
    {"lambda", "L|choose:A,B",
     "strength of the penalty (L/2)|w|^2, which is added to the mean loss; public. choose: one of "
     "2 to 64 candidates is chosen privately. Four fifths of the rows train all candidates and the "
     "rest score them; the noise is larger, and the budget pays for all of it",
     "the square of the largest norm of a row's features, divided by the square root of the number "
     "of rows",
     CLI_POSITIVE("0.01")},
    {"places", "FILE",
     "gp: public points (CSV with the features' names, or NPY) at which the machine is released; "
     "between them it is interpolated by the kernel. The release contains them"},
    CLI_GROUP(public_points),
    CLI_GROUP(gram),
    CLI_SAME(epsilon),
    {"delta", "D",
     "above 0 and below 1: allows normal noise, which is much smaller when there are many weights",
     CLI_FRACTION("1e-6")},
    CLI_SAME(calibration),
    CLI_SAME(tolerance),
    CLI_SAME(replaced),
    CLI_GROUP(people),
    {"threads", "N",
     "number of threads that read and solve. It can change the last digits of the weights before "
     "noise, within the tolerance",
     "one per processor, up to eight", CLI_COUNT(1, 1024)},
    CLI_SAME(band),
    CLI_SAME(check),
    CLI_GROUP(release),
    {0},
};

/* What is asked, and what tddl decided, from public numbers alone. */
typedef struct train_request {
  train_options of;
  sfm_noise_shape shape;
  size_t points;
  double kernel, isotropic;
  sfm_probes_plan probes; /* and tdil */
} train_request;

static void take_decision(void *context, sfm_noise_shape shape, size_t count, double kernel,
                          double isotropic) {
  train_request *d = context;
  d->shape = shape;
  d->points = count;
  d->kernel = kernel;
  d->isotropic = isotropic;
  if (d->of.settings.context.remark) public_points_note_outside(stderr, &d->of.settings, count);
}

static void take_probes(void *context, const sfm_probes_plan *probes) {
  ((train_request *)context)->probes = *probes;
}

static void report_decision(const sfm_release *release, const train_request *d, size_t machines) {
  char text[512];
  if (!machine_fit_text(text, sizeof text, release)) return;
  if (d->probes.rounds)
    tdil_print_rounds(stderr, &d->probes, machines);
  else
    text_print_labelled(stderr, "fit", text);
  if (d->points == 0) return;
  const bool kernel = d->shape == SFM_NOISE_SHAPE_KERNEL;
  const double chosen = kernel ? d->kernel : d->isotropic,
               other = kernel ? d->isotropic : d->kernel;
  snprintf(text, sizeof text,
           "the values at the points have an error of %.3g (root mean square), for a machine whose "
           "values are as large as the margin",
           chosen);
  if (isfinite(other))
    text_add(text, sizeof text, "; with %s noise %.3g", kernel ? "isotropic" : "kernel-shaped",
             other);
  text_print_labelled(stderr, "predicted", text);
}

static sfm_status read_request(release_task *task, sfm_error *error) {
  train_request *r = task->request;
  const sfm_status status = train_options_read(&r->of, task->options, error);
  r->of.settings.decided = take_decision;
  r->of.settings.foreseen = take_probes;
  r->of.settings.decided_data = r->of.settings.foreseen_data = r;
  return status;
}

static sfm_status open_rows(sfm_rows **rows, const release_task *task, const char *path,
                            sfm_error *error) {
  const train_options *s = &((const train_request *)task->request)->of;
  return release_command_open(rows, path, s->dimension, s->compression, error);
}

static sfm_status release(release_task *task, sfm_rows *rows, sfm_error *error) {
  return sfm_train_release(&task->release, rows, &((train_request *)task->request)->of.settings,
                           error);
}

static void clear(void *request) {
  train_options_clear(&((train_request *)request)->of);
}

/* "y from a, b, c", "class labels from 123 coordinates". */
static void describe(char *text, size_t size, const sfm_release *release,
                     const sfm_machine *machine) {
  char subject[400];
  machine_subject_text(subject, sizeof subject, release, machine);
  snprintf(text, size, "a machine that predicts %s (%s, %s), %zu weight%s", subject,
           sfm_release_method(release), sfm_release_hardened(release) ? "hardened" : "idealised",
           sfm_release_length(release), sfm_release_length(release) == 1 ? "" : "s");
}

/* "hinge loss, gaussian kernel of bandwidth 0.5, lambda 0.01; 1000 features a row (random)". */
static void describe_machine(char *text, size_t size, const sfm_machine *m,
                             const sfm_train_settings *settings) {
  const char *kernel = sfm_kernel_family_name(m->kernel);
  snprintf(text, size, "%s", sfm_machine_loss_name(m->loss));
  if (isfinite(m->parameter)) text_add(text, size, ":%.6g", m->parameter);
  text_add(text, size, " loss, ");
  if (machine_is_gram(m))
    text_add(text, size, "the kernel of your matrices");
  else if (m->kernel == SFM_KERNEL_LINEAR)
    text_add(text, size, "linear kernel");
  else if (m->kernel == SFM_KERNEL_POLYNOMIAL)
    text_add(text, size, "polynomial kernel of degree %u", m->degree);
  else
    text_add(text, size, "%s kernel of bandwidth %.6g", kernel, m->bandwidth);
  /* Noise in the objective may need a larger one. */
  const bool usual = settings->lambda == 0 && settings->lambda_count == 0 &&
                     settings->method != SFM_TRAIN_OBJECTIVE;
  text_add(text, size, ", lambda %.6g%s; %zu feature%s per row (%s)", m->lambda,
           usual ? " (the default)" : "", m->features, m->features == 1 ? "" : "s", m->form);
}

static bool is_normal(const sfm_train_settings *settings) {
  return settings->noise_given ? settings->noise == SFM_VECTOR_NOISE_NORMAL : settings->delta > 0;
}

/* What choosing took: a fifth of the rows, and the noise's part of a budget for all candidates. */
static void report_choice(const sfm_machine *m, const sfm_train_settings *settings) {
  const size_t count = settings->lambda_count;
  const double noise =
      1.25 * (is_normal(settings) ? sqrt((double)count) : fmin((double)count, 2.5));
  text_say(stderr, "lambda",
           "%.6g, chosen privately among %zu candidates. A fifth of the rows was used for the "
           "choice, and the noise is %.2g times the noise for this lambda without a choice",
           m->lambda, count, noise);
}

static void report_noise(const sfm_release *release, const sfm_machine *m,
                         const sfm_train_settings *settings) {
  if (settings->method == SFM_TRAIN_OBJECTIVE) {
    text_print_labelled(
        stderr, "note",
        "baseline, idealised: noise in the objective is private only if the minimiser is exact and "
        "the arithmetic is exact; --method finite is hardened and certified");
    return;
  }
  text_say(stderr, "noise",
           "covers a change of %.4g%s: one record changes the exact weights by at most %.4g; twice "
           "%.4g is added, to which the solver is certified",
           m->used, m->function_count > 1 ? " of each machine" : "", m->bound, m->certificate / 2);
  if (!sfm_release_hardened(release) && settings->method != SFM_TRAIN_TDIL)
    text_print_labelled(
        stderr, "note",
        "idealised: the noise is made of floating-point numbers and is private only in exact "
        "arithmetic (laplace and normal noise on weights are hardened)");
}

/* From public numbers alone: the band is what the release states. */
static void report_size(const sfm_release *release, const sfm_machine *m, bool normal) {
  const bool number = m->task == SFM_TASK_REGRESSION;
  const double most = number ? 0.25 * (m->upper - m->lower) : 1;
  const sfm_band band = sfm_release_band(release);
  if (!isfinite(band.pointwise) || !(band.pointwise > most)) return;
  text_say(stderr, "note",
           "the noise is larger than %.4g (%s) and hides the prediction at most points. A larger "
           "--lambda or --epsilon%s%s or more rows would help; `sfumato plan train` shows how much",
           most, number ? "a quarter of the label's range" : "the margin",
           normal ? "" : ", fewer features",
           number && m->loss != SFM_MACHINE_LOSS_HUBER ? ", --loss huber" : "");
}

static void report(const release_task *task) {
  const sfm_release *release = task->release;
  const char *path = task->path;
  const train_request *r = task->request;
  const sfm_train_settings *settings = &r->of.settings;
  char made[512], text[1024];
  sfm_machine machine;
  if (!sfm_release_machine(release, &machine)) return;
  describe(made, sizeof made, release, &machine);
  text_say(stderr, "wrote", "%.200s: %s", strcmp(path, "-") == 0 ? "standard output" : path, made);
  train_assumptions_print(stderr, &r->of);
  describe_machine(text, sizeof text, &machine, settings);
  text_print_labelled(stderr, "machine", text);
  if (settings->lambda_count) report_choice(&machine, settings);
  text_print_labelled(stderr, "guarantee", sfm_release_sentence(release));
  report_noise(release, &machine, settings);
  report_decision(release, r, machine.function_count);
  if (settings->method != SFM_TRAIN_OBJECTIVE) {
    report_band(text, sizeof text, release);
    text_print_labelled(stderr, "band", text);
    report_size(release, &machine, is_normal(settings));
  }
  if (!sfm_release_dataset(release)) report_uncharged(stderr, false);
  row_options_warn(settings->context.schema);
  if (strcmp(path, "-") == 0) return;
  text_say(stderr, "next", "sfumato eval %.500s --points new.%s%s", path,
           machine.input_count         ? "csv"
           : machine_is_gram(&machine) ? "npy"
                                       : "txt",
           machine.class_count ? " --classes" : "");
}

static const release_command command = {RELEASE_REQUEST(train_request, of.settings.context),
                                        .output = "model.sfm",
                                        .read = read_request,
                                        .open = open_rows,
                                        .release = release,
                                        .report = report,
                                        .clear = clear};

const cli_verb verb_train = {
    .name = "train",
    .summary = "train a kernel machine (SVM, logistic, ridge) and release it",
    .usage = "ROWS --features NAMES --label COLUMN --bounds A:B --epsilon E [--delta D] [options] "
             "-o FILE",
    .operand = "ROWS",
    .operand_help = "CSV with a header line (plain or gzip), NPY, or with --dimension libsvm text; "
                    "- is standard input",
    .options = options_table,
    .refused = options_no_partials,
    .about =
        "Minimises (1/n) sum loss + (lambda/2)|w|^2, without an intercept, to within a certified "
        "distance of the exact minimiser. Then noise is added to the weights. It covers the "
        "largest change by one record, 2 L kappa/(lambda n), plus twice that distance; L is the "
        "largest slope of the loss, kappa the largest norm of a row's features.\n"
        "Private: the rows. A number outside its bounds is clamped; with --outside drop its row is "
        "ignored. A row is also ignored if a cell is empty or not a number, or if a category or "
        "the label is not declared. An ignored row still counts in the number of rows. No message, "
        "exit code or output depends on the contents of a row, except through the noise. (With "
        "--ledger, exit code 3 after the charge tells the owner that the rows are not the rows of "
        "the earlier releases.)\n"
        "Public: everything you write here and the number of rows. The release contains all of it.",
    .example =
        "sfumato train rows.csv --features age,income --label bought --labels 'no|yes' --bounds "
        "0:100,0:200000 --kernel gaussian:0.5 --epsilon 1 --delta 1e-6 -o model.sfm\n"
        "sfumato train rows.csv --features x1..x20 --label y --label-bounds 0:10 --bounds -1:1 "
        "--loss huber:1 --epsilon 1 -o line.sfm\n"
        "sfumato train a9a.libsvm.gz --dimension 123 --bounds 0:1 --clip-norm 3.75 --loss logistic "
        "--lambda 0.07 --epsilon 0.1 --delta 1e-6 -o adult.sfm\n"
        "sfumato train rows.csv --features age,income --label bought --labels 'no|yes' --bounds "
        "0:100,0:200000 --kernel gaussian:0.5 --method tddl --public survey.csv --epsilon 1 "
        "--delta 1e-6 -o fitted.sfm\n"
        "sfumato train rows.csv --features age,income --label bought --labels 'no|yes' --bounds "
        "0:100,0:200000 --kernel gaussian:0.5 --method tdil --epsilon 1 --delta 1e-6 -o "
        "probed.sfm\n"
        "sfumato eval model.sfm --points new.csv --classes",
    .command = &command,
};
