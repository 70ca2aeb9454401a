/* replay.c - runs every file of a corpus folder through a fuzz target, in ordinary tests. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) return 0;
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  uint8_t *data = malloc(size > 0 ? (size_t)size : 1);
  size_t got = data && size > 0 ? fread(data, 1, (size_t)size, file) : 0;
  fclose(file);
  if (data) LLVMFuzzerTestOneInput(data, got);
  free(data);
  return 1;
}

int main(int argc, char **argv) {
  DIR *folder = argc == 2 ? opendir(argv[1]) : NULL;
  if (!folder) {
    fprintf(stderr, "usage: %s CORPUS-FOLDER (which must exist)\n", argv[0]);
    return 2;
  }
  int replayed = 0;
  char path[4096];
  for (struct dirent *entry; (entry = readdir(folder));) {
    if (entry->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "%s/%s", argv[1], entry->d_name);
    replayed += replay_file(path);
  }
  closedir(folder);
  printf("%d files of the corpus replayed\n", replayed);
  return replayed ? 0 : 1;
}
