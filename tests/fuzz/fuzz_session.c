/* fuzz_session.c - any contents of a session file whose hashes are right: refused with a message,
 * or a session that answers, goes on from there when it is opened again, and can be written down.
 *
 * Sessions of several kinds are made once, seeded, asked a little, and taken apart.  An input names
 * one of them and changes it; the changed parts are put into a file with hashes (and an anchor)
 * made anew, since whoever edits a session file finds the key of its hashes beside them.
 *
 *   first byte          its low three bits: which session; 8: it is asked; 16: it is then opened
 *                       again, and has forgotten nothing; 32: it is written down.  The input
 *                       "SQLite ..." is the file itself instead
 *   then edits:
 *   's' AT AT N BYTES   N bytes of the state from AT on (two bytes, little endian) are these
 *   'f' AT AT N BYTES   N bytes of the facts likewise; 'F' AT AT M N BYTES: N in place of M
 *   'c' N               the state ends with N eights of its bytes; 'C' N: N bytes are added to it
 *   'o'                 the state as 0.1 wrote it
 *   'b' P A L BYTES     a further batch of so many eights of bytes: points, answers, latents
 *   'p' B AT AT N BYTES bytes of the points of batch B; 'a', 'l': of its answers, of its latents
 *   'd'                 the last batch is dropped
 *   'j' TEXT            the rest of the input is the facts */
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text/hex.h"
#include "data/format/row_digest.h"
#include "releases/core/release_data.h"
#include "releases/core/release_write.h"
#include "sessions/session_store.h"
#include "sfumato/interact.h"
#include "sfumato/online.h"
#include "promise.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ASK = 8, REOPEN = 16, WRITE = 32 };
enum { KINDS = 8, BATCHES = 12, COLUMNS = 3, ROWS = 24 };

/* ---- sessions in parts ---- */

typedef struct part {
  uint8_t *at;
  size_t size;
} part;

typedef struct session {
  bool interactive, single;
  part facts, state, batches[BATCHES][COLUMNS];
  size_t count;
} session;

static session kinds[KINDS];
static char path[80], journal[96], anchor[96];

static part copy_part(const void *bytes, size_t size) {
  part p = {malloc(size + 1), size};
  PROMISE(p.at != NULL);
  if (size) memcpy(p.at, bytes, size);
  p.at[size] = 0;
  return p;
}

static session copy_session(const session *s) {
  session copy = *s;
  copy.facts = copy_part(s->facts.at, s->facts.size);
  copy.state = copy_part(s->state.at, s->state.size);
  for (size_t i = 0; i < s->count; i++)
    for (size_t c = 0; c < COLUMNS; c++)
      copy.batches[i][c] = copy_part(s->batches[i][c].at, s->batches[i][c].size);
  return copy;
}

static void drop_batch(session *s) {
  s->count--;
  for (size_t c = 0; c < COLUMNS; c++) free(s->batches[s->count][c].at);
}

static void clear_session(session *s) {
  while (s->count) drop_batch(s);
  free(s->facts.at);
  free(s->state.at);
}

static sfm_status take_batch(void *context, const sfmi_store_batch *batch, sfm_error *error) {
  session *s = context;
  (void)error;
  const sfmi_bytes columns[COLUMNS] = {batch->points, batch->answers, batch->latents};
  PROMISE(s->count < BATCHES);
  for (size_t c = 0; c < COLUMNS; c++)
    s->batches[s->count][c] = copy_part(columns[c].at, columns[c].size);
  s->count++;
  return SFM_OK;
}

static void take_apart(session *s) {
  sfmi_store store;
  PROMISE(!sfmi_store_open(&store, SFMI_STORE_ONLINE, path, NULL));
  sfmi_generation last = store.first, before = last;
  s->facts = copy_part(store.record.facts, strlen(store.record.facts));
  s->state = copy_part(store.record.state, store.record.state_length);
  PROMISE(!sfmi_database_begin(&store.database, false, NULL));
  PROMISE(!sfmi_store_follow(&store, &last, &before, take_batch, s, NULL));
  sfmi_database_rollback(&store.database);
  sfmi_store_close(&store);
}

/* ---- the sessions ---- */

static const char *const names[] = {"a", "b", "y"};

static sfm_rows *make_rows(void) {
  static double cells[3 * ROWS]; /* borrowed by the rows */
  sfm_rows *rows;
  for (size_t i = 0; i < ROWS; i++) {
    cells[3 * i] = sin(1 + 12.9898 * (double)i);
    cells[3 * i + 1] = sin(2 + 78.233 * (double)i);
    cells[3 * i + 2] = cells[3 * i] + cells[3 * i + 1] > 0.2 ? 1 : -1;
  }
  PROMISE(!sfm_rows_from_array(&rows, cells, ROWS, 3, names, NULL));
  return rows;
}

static sfm_schema *make_schema(void) {
  sfm_schema *schema;
  PROMISE(!sfm_schema_create(&schema, NULL));
  for (int i = 0; i < 2; i++) PROMISE(!sfm_schema_set_bounds(schema, names[i], -1, 1, NULL));
  return schema;
}

static void make_online(session *s, sfm_engine engine, sfm_kernel_family kernel, size_t dimension) {
  static const double points[] = {0.25, -0.5, 0.75, 0.125, -1, 1};
  sfm_schema *schema = make_schema();
  sfm_rows *rows = make_rows();
  sfm_density_settings settings = sfm_density_settings_default();
  sfm_online *online;
  double values[3], bandwidth[2] = {4, 4};
  settings.context.schema = schema;
  settings.columns = names;
  settings.dimension = dimension;
  settings.bandwidth = bandwidth;
  settings.method = SFM_DENSITY_GP;
  settings.engine = engine;
  settings.kernel = kernel;
  settings.epsilon = 1;
  settings.delta = 1e-6;
  settings.calibration = SFM_CALIBRATION_CLASSICAL;
  settings.context.seeded = true;
  s->single = engine == SFM_ENGINE_GRAM;
  PROMISE(!sfm_online_create(path, rows, &settings, s->single ? anchor : NULL, NULL));
  PROMISE(!sfm_online_open(&online, path, NULL));
  for (size_t i = 0; i < 2; i++)
    PROMISE(!sfm_online_ask(online, values, points + i * dimension, 2, NULL));
  sfm_online_close(online);
  sfm_rows_destroy(rows);
  sfm_schema_destroy(schema);
}

static void make_interactive(session *s, sfm_kernel_family kernel, size_t features,
                             sfm_interact_update update) {
  static const double points[] = {0.25, -0.5, 0.75, 0.125, -1, 1, 0.5, 0.5};
  sfm_schema *schema = make_schema();
  sfm_rows *rows = make_rows();
  sfm_interact_settings settings = sfm_interact_settings_default();
  sfm_interact_answer answers[4];
  sfm_interact *interact;
  sfm_train_settings train = sfm_train_settings_default(), *t = &train;
  t->context.schema = schema;
  t->features = names;
  t->feature_count = 2;
  t->label = "y";
  t->constant = 1;
  t->lambda = 0.5;
  t->epsilon = 300;
  t->context.threads = 1;
  t->context.seeded = true;
  t->kernel = kernel;
  t->bandwidth = 4;
  t->degree = 2;
  t->shift = 1;
  if (features) t->method = SFM_TRAIN_RFF;
  t->rff_features = features;
  settings.train = t;
  settings.questions = 200;
  settings.epochs = 6;
  settings.update = update;
  s->interactive = s->single = true;
  PROMISE(!sfm_interact_create(path, rows, &settings, anchor, NULL));
  PROMISE(!sfm_interact_open(&interact, path, NULL));
  for (size_t i = 0; i < 2; i++)
    PROMISE(!sfm_interact_ask(interact, answers, points + i * 4, 2, NULL));
  sfm_interact_close(interact);
  sfm_rows_destroy(rows);
  sfm_schema_destroy(schema);
}

static void remove_files(void) {
  unlink(path);
  unlink(journal);
  unlink(anchor);
}

static void begin(void) {
  const char *folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
  snprintf(path, sizeof path, "%s/sfumato_fuzz_session.%ld", folder, (long)getpid());
  snprintf(journal, sizeof journal, "%s-journal", path);
  snprintf(anchor, sizeof anchor, "%s-anchor", path);
  for (int k = 0; k < KINDS; k++) {
    remove_files();
    switch (k) {
    case 0:
      make_online(&kinds[k], SFM_ENGINE_MARKOV, SFM_KERNEL_MATERN32, 1);
      break;
    case 1:
      make_online(&kinds[k], SFM_ENGINE_GRAM, SFM_KERNEL_CAUCHY, 1);
      break;
    case 2:
      make_online(&kinds[k], SFM_ENGINE_GRAM, SFM_KERNEL_GAUSSIAN, 2);
      break;
    case 3:
      make_online(&kinds[k], SFM_ENGINE_SPECTRAL, SFM_KERNEL_GAUSSIAN, 1);
      break;
    case 4:
      make_interactive(&kinds[k], SFM_KERNEL_LINEAR, 0, SFM_INTERACT_UPDATE_RIDGE);
      break;
    case 5:
      make_interactive(&kinds[k], SFM_KERNEL_POLYNOMIAL, 0, SFM_INTERACT_UPDATE_STEP);
      break;
    case 6:
      make_interactive(&kinds[k], SFM_KERNEL_GAUSSIAN, 0, SFM_INTERACT_UPDATE_RIDGE);
      break;
    default:
      make_interactive(&kinds[k], SFM_KERNEL_LAPLACIAN, 8, SFM_INTERACT_UPDATE_RIDGE);
      break;
    }
    take_apart(&kinds[k]);
  }
  remove_files();
  PROMISE(atexit(remove_files) == 0);
}

/* ---- edits ---- */

typedef struct input {
  const uint8_t *at;
  size_t left;
} input;

static unsigned byte(input *in) {
  if (in->left == 0) return 0;
  in->left--;
  return *in->at++;
}

/* Some bytes of the input; shorter at its end. */
static part bytes(input *in, size_t size) {
  if (size > in->left) size = in->left;
  part p = {(uint8_t *)(uintptr_t)in->at, size};
  in->at += size;
  in->left -= size;
  return p;
}

static size_t offset(input *in, const part *p) {
  const size_t low = byte(in), at = low | (size_t)byte(in) << 8;
  return at < p->size ? at : p->size;
}

static void overwrite(part *p, input *in) {
  const size_t at = offset(in, p);
  const part with = bytes(in, byte(in));
  const size_t size = with.size < p->size - at ? with.size : p->size - at;
  if (size) memcpy(p->at + at, with.at, size);
}

static void replace(part *p, input *in) {
  const size_t at = offset(in, p), most = p->size - at;
  size_t gone = byte(in);
  if (gone > most) gone = most;
  const part with = bytes(in, byte(in));
  part next = {malloc(p->size - gone + with.size + 1), p->size - gone + with.size};
  PROMISE(next.at != NULL);
  memcpy(next.at, p->at, at);
  if (with.size) memcpy(next.at + at, with.at, with.size);
  memcpy(next.at + at + with.size, p->at + at + gone, most - gone);
  next.at[next.size] = 0;
  free(p->at);
  *p = next;
}

static void resize(part *p, size_t size) {
  uint8_t *next = calloc(1, size + 1);
  PROMISE(next != NULL);
  memcpy(next, p->at, size < p->size ? size : p->size);
  free(p->at);
  *p = (part){next, size};
}

/* The same fields behind what 0.1 began with: its mark, and of a machine the size of its struct. */
static void make_old(session *s) {
  static const uint8_t machine[16] = "001sft\1\0\x70\1", function[8] = "001sfs\1";
  enum { FRAME = 24 };
  const size_t start = s->interactive ? sizeof machine : sizeof function;
  if (s->state.size < FRAME) return;
  const size_t fields = s->state.size - FRAME;
  memcpy(s->state.at, s->interactive ? machine : function, start);
  memmove(s->state.at + start, s->state.at + FRAME, fields);
  resize(&s->state, start + fields);
}

static void add_batch(session *s, input *in) {
  size_t sizes[COLUMNS];
  for (size_t c = 0; c < COLUMNS; c++) sizes[c] = 8 * (size_t)byte(in);
  if (s->count == BATCHES) return;
  for (size_t c = 0; c < COLUMNS; c++) {
    const part given = bytes(in, sizes[c]);
    s->batches[s->count][c] = copy_part(given.at, given.size);
  }
  s->count++;
}

static void edit_batch(session *s, size_t column, input *in) {
  const size_t batch = byte(in);
  part nothing = {NULL, 0};
  overwrite(s->count ? &s->batches[batch % s->count][column] : &nothing, in);
}

static void edit(session *s, input *in) {
  while (in->left) {
    const unsigned what = byte(in);
    switch (what) {
    case 's':
      overwrite(&s->state, in);
      break;
    case 'f':
      overwrite(&s->facts, in);
      break;
    case 'F':
      replace(&s->facts, in);
      break;
    case 'c':
      resize(&s->state, 8 * (size_t)byte(in));
      break;
    case 'C':
      resize(&s->state, s->state.size + byte(in));
      break;
    case 'o':
      make_old(s);
      break;
    case 'b':
      add_batch(s, in);
      break;
    case 'p':
      edit_batch(s, 0, in);
      break;
    case 'a':
      edit_batch(s, 1, in);
      break;
    case 'l':
      edit_batch(s, 2, in);
      break;
    case 'd':
      if (s->count) drop_batch(s);
      break;
    case 'j':
      free(s->facts.at);
      s->facts = copy_part(in->at, in->left);
      in->left = 0;
      break;
    default:
      break;
    }
  }
}

/* ---- a file with the right hashes ---- */

static const uint8_t key[SFMI_SESSION_KEY] = {7}, identity[SFMI_SESSION_IDENTITY] = {9};

static void hash_field(sfmi_digest *digest, const void *field, size_t length) {
  const uint64_t size = length;
  sfmi_digest_add(digest, &size, sizeof size);
  if (length) sfmi_digest_add(digest, field, length);
}

static void hash_session(uint8_t hash[SFMI_GENERATION_BYTES], const session *s,
                         const char *keeper) {
  static const char name[] = "sfumato session 1";
  sfmi_digest digest;
  sfmi_digest_start(&digest, key);
  hash_field(&digest, name, strlen(name));
  hash_field(&digest, identity, sizeof identity);
  hash_field(&digest, s->facts.at, strlen((char *)s->facts.at));
  hash_field(&digest, s->state.at, s->state.size);
  hash_field(&digest, "", 0);
  hash_field(&digest, keeper, strlen(keeper));
  sfmi_digest_end(&digest, hash);
}

static void hash_batch(uint8_t hash[SFMI_GENERATION_BYTES], uint64_t number, const part *columns) {
  sfmi_digest digest;
  sfmi_digest_start(&digest, key);
  hash_field(&digest, hash, SFMI_GENERATION_BYTES);
  hash_field(&digest, &number, sizeof number);
  for (size_t c = 0; c < COLUMNS; c++) hash_field(&digest, columns[c].at, columns[c].size);
  sfmi_digest_end(&digest, hash);
}

static void write_anchor(const uint8_t hash[SFMI_GENERATION_BYTES], size_t number) {
  char who[2 * sizeof identity + 1], digits[2 * SFMI_GENERATION_BYTES + 1];
  FILE *file = fopen(anchor, "w");
  PROMISE(file != NULL);
  sfmi_hex_write(who, identity, sizeof identity);
  sfmi_hex_write(digits, hash, SFMI_GENERATION_BYTES);
  fprintf(file, "sfumato-session-anchor 1\n%s\n%zu\n%s\n", who, number, digits);
  PROMISE(fclose(file) == 0);
}

static void write_file(const void *image, size_t size) {
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  PROMISE(file >= 0 && write(file, image, size) == (ssize_t)size);
  close(file);
  unlink(journal);
}

/* An empty session file, sealed: made once, then copied. */
static void write_empty(void) {
  static uint8_t image[1 << 16];
  static ssize_t length;
  if (length == 0) {
    sfmi_store store;
    char empty[] = "";
    const sfmi_session_record record = {.facts = empty, .ledger = empty, .anchor = empty};
    remove_files();
    PROMISE(!sfmi_store_create(path, path, &record, NULL));
    PROMISE(!sfmi_store_open(&store, SFMI_STORE_ONLINE, path, NULL));
    PROMISE(!sfmi_store_seal(&store, NULL));
    sfmi_store_close(&store);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    length = read(file, image, sizeof image);
    PROMISE(length > 0 && length < (ssize_t)sizeof image);
    close(file);
  }
  write_file(image, (size_t)length);
}

static void bind(sqlite3_stmt *row, int number, const void *field, size_t size) {
  PROMISE(sqlite3_bind_blob64(row, number, size ? field : "", size, SQLITE_STATIC) == SQLITE_OK);
}

static void insert(sqlite3_stmt *row) {
  PROMISE(sqlite3_step(row) == SQLITE_DONE);
  sqlite3_finalize(row);
}

static void write_session(const session *s) {
  sqlite3 *database;
  sqlite3_stmt *row;
  uint8_t hash[SFMI_GENERATION_BYTES];
  const char *keeper = s->single ? anchor : "", *facts = (char *)s->facts.at;
  write_empty();
  PROMISE(sqlite3_open(path, &database) == SQLITE_OK);
  PROMISE(sqlite3_exec(database,
                       "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; BEGIN; DELETE FROM "
                       "session",
                       NULL, NULL, NULL) == SQLITE_OK);
  PROMISE(sqlite3_prepare_v2(database, "INSERT INTO session VALUES (1, ?, ?, ?, ?, '', ?, ?)", -1,
                             &row, NULL) == SQLITE_OK);
  hash_session(hash, s, keeper);
  bind(row, 1, identity, sizeof identity);
  bind(row, 2, key, sizeof key);
  sqlite3_bind_text(row, 3, facts, -1, SQLITE_STATIC);
  bind(row, 4, s->state.at, s->state.size);
  sqlite3_bind_text(row, 5, keeper, -1, SQLITE_STATIC);
  bind(row, 6, hash, sizeof hash);
  insert(row);
  for (size_t i = 0; i < s->count; i++) {
    const part *columns = s->batches[i];
    hash_batch(hash, i + 1, columns);
    PROMISE(sqlite3_prepare_v2(database, "INSERT INTO batch VALUES (?, ?, ?, ?, ?)", -1, &row,
                               NULL) == SQLITE_OK);
    sqlite3_bind_int64(row, 1, (sqlite3_int64)i + 1);
    for (int c = 0; c < COLUMNS; c++) bind(row, c + 2, columns[c].at, columns[c].size);
    bind(row, 5, hash, sizeof hash);
    insert(row);
  }
  PROMISE(sqlite3_exec(database, "COMMIT", NULL, NULL, NULL) == SQLITE_OK);
  sqlite3_close(database);
  if (s->single) write_anchor(hash, s->count);
}

/* ---- what is then done with it ---- */

static void print_release(sfm_release *release) {
  char *text = NULL;
  size_t length;
  sfm_error error = {0};
  if (sfmi_release_print(release, &text, &length, &error)) PROMISE(error.message[0] != '\0');
  free(text);
  sfm_release_destroy(release);
}

static sfm_online *open_online(void) {
  sfm_online *online = NULL;
  sfm_error error = {0};
  if (sfm_online_open(&online, path, &error)) {
    PROMISE(!online && error.message[0] != '\0');
    return NULL;
  }
  PROMISE(sfm_online_sentence(online) != NULL);
  return online;
}

/* Two points of the domain. */
static void choose_points(double *points, const sfm_online *online, size_t dimension) {
  for (size_t a = 0; a < dimension; a++) {
    double lower, upper;
    sfm_online_bounds(online, &lower, &upper, a);
    points[a] = lower;
    points[dimension + a] = 0.375 * lower + 0.625 * upper;
  }
}

static void use_online(unsigned uses) {
  double points[2 * SFM_MAX_DIMENSION], values[2], later[2];
  sfm_release *release = NULL;
  sfm_error error = {0};
  sfm_online *online = open_online();
  if (!online) return;
  choose_points(points, online, sfm_online_about(online).dimension);
  const bool answered = uses & ASK && !sfm_online_ask(online, values, points, 2, &error);
  PROMISE(answered || !(uses & ASK) || error.message[0] != '\0');
  if (uses & REOPEN) {
    sfm_online_close(online);
    online = open_online();
    PROMISE(online != NULL);
  }
  if (answered) {
    PROMISE(!sfm_online_ask(online, later, points, 2, &error));
    PROMISE(memcmp(values, later, sizeof values) == 0);
  }
  if (uses & WRITE && !sfm_online_transcript(online, &release, &error))
    print_release(release);
  else
    PROMISE(!(uses & WRITE) || error.message[0] != '\0');
  sfm_online_close(online);
}

static sfm_interact *open_interactive(void) {
  sfm_interact *interact = NULL;
  sfm_error error = {0};
  if (sfm_interact_open(&interact, path, &error)) {
    PROMISE(!interact && error.message[0] != '\0');
    return NULL;
  }
  PROMISE(sfm_interact_sentence(interact) != NULL);
  return interact;
}

static void use_interactive(unsigned uses) {
  static const double cells[] = {0.5, -0.25, -0.875, 1};
  sfm_interact_answer answers[2];
  sfm_release *release = NULL;
  sfm_error error = {0};
  sfm_machine machine;
  sfm_interact *interact = open_interactive();
  if (!interact) return;
  const sfm_interact_facts before = sfm_interact_about(interact);
  PROMISE(sfm_release_machine(sfm_interact_machine(interact), &machine));
  const bool asked = uses & ASK && machine.input_count == 2;
  const bool answered = asked && !sfm_interact_ask(interact, answers, cells, 2, &error);
  PROMISE(answered || !asked || error.message[0] != '\0');
  if (uses & REOPEN) {
    sfm_interact_close(interact);
    interact = open_interactive();
    PROMISE(interact != NULL);
  }
  const sfm_interact_facts after = sfm_interact_about(interact);
  PROMISE(after.questions == before.questions + (answered ? 2 : 0));
  PROMISE(after.released >= before.released && after.epochs_left <= before.epochs_left);
  if (uses & WRITE && !sfm_interact_transcript(interact, &release, &error))
    print_release(release);
  else
    PROMISE(!(uses & WRITE) || error.message[0] != '\0');
  sfm_interact_close(interact);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!path[0]) begin();
  if (size == 0) return 0;
  if (size >= 6 && memcmp(data, "SQLite", 6) == 0) {
    write_file(data, size);
    use_online(ASK | WRITE);
    use_interactive(ASK | WRITE);
    return 0;
  }
  input in = {data + 1, size - 1};
  session s = copy_session(&kinds[data[0] % KINDS]);
  edit(&s, &in);
  write_session(&s);
  if (s.interactive)
    use_interactive(data[0]);
  else
    use_online(data[0]);
  clear_session(&s);
  return 0;
}
