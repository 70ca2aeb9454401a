/* test_file.c - files appear whole or not at all, and a failure leaves nothing behind. */
#include "test_support.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system/file.h"

static char folder[64];

static int make_folder(void **state) {
  (void)state;
  strcpy(folder, "/tmp/sfumato_file.XXXXXX");
  return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
  (void)state;
  char path[512];
  DIR *dir = opendir(folder);
  for (struct dirent *entry; dir && (entry = readdir(dir));) {
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (entry->d_name[0] != '.') unlink(path);
  }
  if (dir) closedir(dir);
  return rmdir(folder);
}

static size_t entries(void) {
  size_t count = 0;
  DIR *dir = opendir(folder);
  for (struct dirent *entry; (entry = readdir(dir));) count += entry->d_name[0] != '.';
  closedir(dir);
  return count;
}

static const char *in_folder(char *path, const char *name) {
  snprintf(path, 128, "%s/%s", folder, name);
  return path;
}

static void write_text(const char *path, const char *text) {
  sfm_error error;
  sfmi_file file;
  assert_ok(sfmi_file_begin(&file, path, &error), &error);
  fputs(text, file.stream);
  assert_ok(sfmi_file_commit(&file, &error), &error);
}

static void assert_text(const char *path, const char *text) {
  sfm_error error;
  char *bytes;
  size_t length;
  assert_ok(sfmi_file_read(&bytes, &length, path, 1 << 20, &error), &error);
  assert_int_equal(length, strlen(text));
  assert_string_equal(bytes, text);
  free(bytes);
}

static void a_commit_replaces_and_an_abandon_does_not(void **state) {
  (void)state;
  char path[128];
  in_folder(path, "a.sfm");
  write_text(path, "first");
  assert_text(path, "first");
  sfm_error error;
  sfmi_file file;
  assert_ok(sfmi_file_begin(&file, path, &error), &error);
  fputs("second", file.stream);
  fflush(file.stream);
  assert_text(path, "first");
  sfmi_file_abandon(&file);
  assert_text(path, "first");
  assert_int_equal(entries(), 1);
  write_text(path, "third");
  assert_text(path, "third");
  assert_int_equal(entries(), 1);
}

/* A full disk, played by a limit on the size of files. */
static void a_full_disk_leaves_the_old_file_and_nothing_else(void **state) {
  (void)state;
  char path[128];
  write_text(in_folder(path, "a.sfm"), "kept");
  size_t before = entries();
  struct rlimit old, small;
  getrlimit(RLIMIT_FSIZE, &old);
  small = old;
  small.rlim_cur = 4096;
  signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
  sfm_error error = {0};
  sfmi_file file;
  sfm_status begun = sfmi_file_begin(&file, path, &error), committed = SFM_OK;
  for (int i = 0; !begun && i < 100000; i++) fputs("more than fits", file.stream);
  if (!begun) committed = sfmi_file_commit(&file, &error);
  setrlimit(RLIMIT_FSIZE, &old);
  assert_int_equal(begun, SFM_OK);
  assert_int_equal(committed, SFM_IO);
  assert_non_null(strstr(error.message, path));
  assert_text(path, "kept");
  assert_int_equal(entries(), before);
}

static void folders_that_cannot_hold_it_are_named(void **state) {
  (void)state;
  char path[128];
  sfm_error error = {0};
  sfmi_file file;
  assert_int_equal(sfmi_file_begin(&file, in_folder(path, "no/such.sfm"), &error), SFM_IO);
  assert_non_null(strstr(error.message, "no/such.sfm"));
  assert_null(file.stream);
  assert_int_equal(sfmi_file_begin(&file, "/proc/sfumato.sfm", &error), SFM_IO);
  /* A folder that may not be written to (root may write everywhere). */
  if (geteuid() != 0) {
    assert_int_equal(chmod(folder, 0500), 0);
    sfm_status status = sfmi_file_begin(&file, in_folder(path, "b.sfm"), &error);
    chmod(folder, 0700);
    assert_int_equal(status, SFM_IO);
  }
  /* A target that becomes a folder: the rename fails, and the temporary file goes. */
  in_folder(path, "sub");
  assert_ok(sfmi_file_begin(&file, path, &error), &error);
  assert_int_equal(mkdir(path, 0700), 0);
  size_t before = entries();
  assert_int_equal(sfmi_file_commit(&file, &error), SFM_IO);
  assert_int_equal(entries(), before);
  assert_int_equal(sfmi_file_begin(&file, path, &error), SFM_INVALID);
  rmdir(path);
}

/* Puts length bytes in a file by that name. */
static const char *put(char *path, const char *name, const char *bytes, size_t length) {
  FILE *file = fopen(in_folder(path, name), "w");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, length, file), length);
  assert_int_equal(fclose(file), 0);
  return path;
}

static void databases_anchors_and_links_to_nothing_are_no_outputs(void **state) {
  (void)state;
  static const char database[] = "SQLite format 3", text[] = "SQLite format 3 is a format";
  static const char *const heads[] = {"sfumato-anchor 1\n", "sfumato-session-anchor 1\n"};
  static const char *const journals[] = {"l.db-journal", "l.db-wal", "l.db-shm"};
  char path[128], link[128];
  sfm_error error = {0};
  sfmi_file file;
  put(path, "l.db", database, sizeof database);
  assert_int_equal(sfmi_file_check_output(path, &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "l.db: it is a database"));
  assert_int_equal(symlink("l.db", in_folder(link, "soft")), 0);
  assert_int_equal(sfmi_file_check_output(link, &error), SFM_INVALID);
  for (size_t i = 0; i < 3; i++)
    assert_int_equal(sfmi_file_check_output(in_folder(path, journals[i]), &error), SFM_INVALID);
  assert_ok(sfmi_file_check_output(in_folder(path, "other-journal"), &error), &error);
  for (size_t i = 0; i < 2; i++) {
    put(path, "anchor", heads[i], strlen(heads[i]));
    assert_int_equal(sfmi_file_check_output(path, &error), SFM_INVALID);
    /* Whoever keeps an anchor replaces it. */
    write_text(path, heads[i]);
  }
  assert_ok(sfmi_file_check_output(put(path, "text", text, strlen(text)), &error), &error);
  assert_ok(sfmi_file_check_output(put(path, "short", database, 4), &error), &error);
  assert_ok(sfmi_file_check_output(put(path, "empty", "", 0), &error), &error);
  assert_ok(sfmi_file_check_output(in_folder(path, "new"), &error), &error);
  assert_ok(sfmi_file_check_output("-", &error), &error);
  assert_int_equal(symlink("nowhere", in_folder(link, "dangling")), 0);
  assert_int_equal(sfmi_file_check_output(link, &error), SFM_INVALID);
  assert_int_equal(sfmi_file_begin(&file, link, &error), SFM_INVALID);
  assert_int_equal(mkfifo(in_folder(path, "pipe"), 0600), 0);
  assert_int_equal(sfmi_file_check_output(path, &error), SFM_INVALID);
  assert_int_equal(sfmi_file_begin(&file, path, &error), SFM_INVALID);
  size_t before = entries();
  assert_int_equal(sfmi_file_check_folder(in_folder(path, "no/such"), &error), SFM_INVALID);
  assert_ok(sfmi_file_check_folder(in_folder(path, "text"), &error), &error);
  assert_int_equal(entries(), before);
}

static void reading_stops_at_the_limit(void **state) {
  (void)state;
  char path[128];
  char *bytes;
  size_t length;
  sfm_error error;
  write_text(in_folder(path, "c"), "0123456789");
  assert_ok(sfmi_file_read(&bytes, &length, path, 10, &error), &error);
  assert_int_equal(length, 10);
  assert_int_equal(bytes[10], 0);
  free(bytes);
  assert_int_equal(sfmi_file_read(&bytes, &length, path, 9, &error), SFM_FORMAT);
  assert_null(bytes);
  assert_int_equal(sfmi_file_read(&bytes, &length, in_folder(path, "none"), 9, &error),
                   SFM_INVALID);
  assert_int_equal(sfmi_file_read(&bytes, &length, folder, 9, &error), SFM_INVALID);
}

static void a_finished_file_takes_no_others_place(void **state) {
  (void)state;
  char from[128], to[128];
  sfm_error error;
  write_text(in_folder(from, "new"), "new");
  assert_ok(sfmi_file_place(from, in_folder(to, "placed"), "thing", &error), &error);
  assert_text(to, "new");
  assert_int_equal(access(from, F_OK), -1);
  write_text(from, "newer");
  assert_int_equal(sfmi_file_place(from, to, "thing", &error), SFM_INVALID);
  assert_non_null(strstr(error.message, "cannot create the thing"));
  assert_text(to, "new");
  assert_text(from, "newer");
  assert_int_equal(sfmi_file_place(from, "/nonexistent/placed", "thing", &error), SFM_INVALID);
  unlink(from);
  unlink(to);
}

static void a_path_means_the_same_from_everywhere(void **state) {
  (void)state;
  char wanted[160], real[4096];
  char *before = getcwd(NULL, 0);
  assert_true(before && realpath(folder, real) && chdir(folder) == 0);
  snprintf(wanted, sizeof wanted, "%.100s/name", real);
  static const char *const paths[] = {"name", "./name", "../%s/name"};
  for (int i = 0; i < 3; i++) {
    char path[128];
    snprintf(path, sizeof path, paths[i], strrchr(folder, '/') + 1);
    char *got = sfmi_file_absolute(path);
    assert_non_null(got);
    assert_string_equal(got, wanted);
    free(got);
  }
  char *root = sfmi_file_absolute("/name");
  assert_string_equal(root, "/name");
  free(root);
  errno = 0;
  assert_null(sfmi_file_absolute("nonexistent/name"));
  assert_int_equal(errno, ENOENT);
  assert_int_equal(chdir(before), 0);
  free(before);
}

/* Whatever the process takes from new files, and whoever makes the name meanwhile. */
static void a_private_file_is_new_and_its_owners_alone(void **state) {
  (void)state;
  sfm_error error;
  sfmi_file file;
  struct stat facts;
  char path[128], link[128];
  const mode_t before = umask(0);
  in_folder(path, "private");
  assert_ok(sfmi_file_begin_private(&file, path, "key", &error), &error);
  umask(before);
  assert_int_equal(fstat(fileno(file.stream), &facts), 0);
  assert_int_equal(facts.st_mode & 07777, 0600);
  fputs("first", file.stream);
  assert_ok(sfmi_file_commit(&file, &error), &error);
  assert_text(path, "first");
  assert_int_equal(sfmi_file_begin_private(&file, path, "key", &error), SFM_INVALID);
  assert_null(file.stream);
  unlink(path);
  const size_t there = entries();
  assert_ok(sfmi_file_begin_private(&file, path, "key", &error), &error);
  fputs("second", file.stream);
  write_text(path, "somebody else's");
  assert_int_equal(sfmi_file_commit(&file, &error), SFM_INVALID);
  assert_text(path, "somebody else's");
  assert_int_equal(entries(), there + 1);
  assert_int_equal(symlink("nothing", in_folder(link, "link")), 0);
  assert_int_equal(sfmi_file_begin_private(&file, link, "key", &error), SFM_INVALID);
  unlink(link);
  unlink(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_commit_replaces_and_an_abandon_does_not),
      cmocka_unit_test(a_full_disk_leaves_the_old_file_and_nothing_else),
      cmocka_unit_test(folders_that_cannot_hold_it_are_named),
      cmocka_unit_test(databases_anchors_and_links_to_nothing_are_no_outputs),
      cmocka_unit_test(reading_stops_at_the_limit),
      cmocka_unit_test(a_finished_file_takes_no_others_place),
      cmocka_unit_test(a_path_means_the_same_from_everywhere),
      cmocka_unit_test(a_private_file_is_new_and_its_owners_alone),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
