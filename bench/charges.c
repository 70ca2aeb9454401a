/* bench_charges FOLDER - durable charges a second, by one process and by sixteen, beside SQLite
 * inserting a row of the same size with the same pragmas, each in its own transaction.  The two
 * take turns on the disk that holds FOLDER; the best turn of each counts. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/bench_support.h"
#include "ledger/charge.h"

enum { TURNS = 3, SECONDS = 2, MOST = 16 };

#define PARAMETERS                                                                                 \
  "{\"verb\":\"density\",\"columns\":[\"age\"],\"bounds\":[[0,100]],\"bandwidth\":[2],"            \
  "\"epsilon\":0.0001,\"neighbours\":\"replace\",\"contributions\":1}"

static char ledger_path[4096], bare_path[4096], anchor_path[4096];

static void require(sfm_status status, const sfm_error *error) {
  if (!status) return;
  fprintf(stderr, "%s\n", error->message);
  exit(1);
}

static void require_sqlite(int code, sqlite3 *database) {
  if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW) return;
  fprintf(stderr, "sqlite: %s\n", sqlite3_errmsg(database));
  exit(1);
}

/* Charges until the time is over; returns how many. */
static long charge(double until) {
  sfm_ledger *ledger;
  sfm_error error;
  const sfm_guarantee guarantee = {.kind = SFM_GUARANTEE_PURE, .epsilon = 0.0001};
  long done = 0;
  require(sfm_ledger_open(&ledger, ledger_path, &error), &error);
  const sfm_charge request = {.ledger = ledger, .dataset = "patients"};
  for (; bench_clock() < until; done++) {
    sfmi_charge_handle handle;
    require(sfmi_ledger_charge(&handle, &request, PARAMETERS, &guarantee, &error), &error);
    sfmi_charge_handle_clear(&handle);
  }
  sfm_ledger_close(ledger);
  return done;
}

static sqlite3 *open_bare(void) {
  sqlite3 *database;
  require_sqlite(sqlite3_open(bare_path, &database), database);
  sqlite3_busy_timeout(database, 60000);
  require_sqlite(sqlite3_exec(database, "PRAGMA journal_mode = DELETE; PRAGMA synchronous = EXTRA",
                              NULL, NULL, NULL),
                 database);
  return database;
}

/* Inserts rows of as many bytes as an entry has. */
static long insert(double until) {
  sqlite3 *database = open_bare();
  sqlite3_stmt *row;
  long done = 0;
  require_sqlite(
      sqlite3_prepare_v2(database, "INSERT INTO t(x) VALUES (zeroblob(?))", -1, &row, NULL),
      database);
  /* time, kind, dataset, request, parameters, guarantee, unit, two amounts, hash */
  sqlite3_bind_int64(row, 1,
                     (sqlite3_int64)(20 + 6 + 8 + 20 + strlen(PARAMETERS) + 14 + 9 + 8 + 32));
  for (; bench_clock() < until; done++) {
    require_sqlite(sqlite3_exec(database, "BEGIN IMMEDIATE", NULL, NULL, NULL), database);
    require_sqlite(sqlite3_step(row), database);
    sqlite3_reset(row);
    require_sqlite(sqlite3_exec(database, "COMMIT", NULL, NULL, NULL), database);
  }
  sqlite3_finalize(row);
  sqlite3_close(database);
  return done;
}

/* A second by so many processes. */
static double rate(long (*work)(double until), int processes) {
  long *done =
      mmap(NULL, MOST * sizeof *done, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  const double start = bench_clock(), until = start + SECONDS;
  double total = 0;
  for (int i = 0; i < processes; i++)
    if (fork() == 0) {
      done[i] = work(until);
      _exit(0);
    }
  for (int i = 0; i < processes; i++) {
    int status;
    wait(&status);
    if (!WIFEXITED(status) || WEXITSTATUS(status)) exit(1);
  }
  for (int i = 0; i < processes; i++) total += (double)done[i];
  munmap(done, MOST * sizeof *done);
  return total / (bench_clock() - start);
}

static void compare(int processes, const char *what) {
  double ours = 0, bare = 0;
  for (int turn = 0; turn < TURNS; turn++) {
    const double a = rate(insert, processes), b = rate(charge, processes);
    bare = a > bare ? a : bare;
    ours = b > ours ? b : ours;
  }
  printf("%2d process%s%s: SQLite %.0f inserts a second, ledger %.0f charges a second: %.2f x "
         "(wanted 0.50 x)\n",
         processes, processes > 1 ? "es" : "", what, bare, ours, ours / bare);
}

static void start(const char *anchor) {
  const sfm_dataset dataset = {
      .name = "patients", .epsilon = 1000, .accounting = SFM_ACCOUNTING_BASIC};
  sfm_error error;
  unlink(ledger_path);
  unlink(bare_path);
  unlink(anchor_path);
  require(sfm_ledger_create(ledger_path, anchor, &dataset, &error), &error);
  sqlite3 *database = open_bare();
  require_sqlite(sqlite3_exec(database, "CREATE TABLE t(number INTEGER PRIMARY KEY, x BLOB)", NULL,
                              NULL, NULL),
                 database);
  sqlite3_close(database);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
    return 2;
  }
  snprintf(ledger_path, sizeof ledger_path, "%s/charges.db", argv[1]);
  snprintf(bare_path, sizeof bare_path, "%s/bare.db", argv[1]);
  snprintf(anchor_path, sizeof anchor_path, "%s/charges.anchor", argv[1]);
  start(NULL);
  compare(1, "");
  start(NULL);
  compare(16, "");
  start(anchor_path);
  compare(1, ", with an anchor");
  start(anchor_path);
  compare(16, ", with an anchor");
  unlink(ledger_path);
  unlink(bare_path);
  unlink(anchor_path);
  return 0;
}
