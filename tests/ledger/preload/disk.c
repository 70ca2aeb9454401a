#include "disk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SECTOR = 512, ENTRIES = 128, NAME = 256 };

typedef struct entry {
  char name[NAME];
  uint64_t inode;
} entry;

typedef struct listing {
  entry entries[ENTRIES];
  size_t count;
} listing;

typedef struct contents {
  unsigned char *bytes;
  size_t length;
} contents;

static void require(int holds, const char *what, const char *path) {
  if (holds) return;
  fprintf(stderr, "disk: cannot %s %s: %s\n", what, path, strerror(errno));
  abort();
}

static const char *in(char path[PATH_MAX], const char *folder, const char *name) {
  require(snprintf(path, PATH_MAX, "%s/%s", folder, name) < PATH_MAX, "name", folder);
  return path;
}

static const char *beside(char path[PATH_MAX], const char *folder, char letter, uint64_t inode) {
  require(snprintf(path, PATH_MAX, "%s.disk/%c%llu", folder, letter, (unsigned long long)inode) <
              PATH_MAX,
          "name", folder);
  return path;
}

/* false: it is not there. */
static int read_all(contents *out, const char *path) {
  struct stat facts;
  *out = (contents){0};
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    require(errno == ENOENT, "open", path);
    return 0;
  }
  require(fstat(descriptor, &facts) == 0, "look at", path);
  out->length = (size_t)facts.st_size;
  out->bytes = malloc(out->length + 1);
  require(out->bytes != NULL, "hold", path);
  require(pread(descriptor, out->bytes, out->length, 0) == (ssize_t)out->length, "read", path);
  close(descriptor);
  return 1;
}

static void write_all(const char *path, const contents *from) {
  int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  require(descriptor >= 0, "make", path);
  require(write(descriptor, from->bytes, from->length) == (ssize_t)from->length, "write", path);
  close(descriptor);
}

/* At once: whoever does this may be killed at any time. */
static void put(const char *folder, const char *target, const contents *from) {
  char path[PATH_MAX];
  require(snprintf(path, PATH_MAX, "%s.disk/new", folder) < PATH_MAX, "name", folder);
  write_all(path, from);
  require(rename(path, target) == 0, "rename", path);
}

static void copy_to(const char *folder, const char *target, const char *source) {
  contents all;
  if (!read_all(&all, source)) all = (contents){0};
  put(folder, target, &all);
  free(all.bytes);
}

/* The files of a folder. */
static void list_folder(listing *out, const char *folder) {
  char path[PATH_MAX];
  struct stat facts;
  out->count = 0;
  DIR *dir = opendir(folder);
  require(dir != NULL, "open", folder);
  for (struct dirent *item; (item = readdir(dir));) {
    if (lstat(in(path, folder, item->d_name), &facts) != 0 || !S_ISREG(facts.st_mode)) continue;
    require(out->count < ENTRIES && strlen(item->d_name) < NAME, "list", path);
    entry *e = &out->entries[out->count++];
    strcpy(e->name, item->d_name);
    e->inode = facts.st_ino;
  }
  closedir(dir);
}

static void list_durable(listing *out, const char *folder) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s.disk/entries", folder);
  FILE *file = fopen(path, "r");
  require(file != NULL, "read", path);
  out->count = 0;
  unsigned long long inode;
  char name[NAME];
  while (fscanf(file, "%llu %255[^\n]", &inode, name) == 2) {
    require(out->count < ENTRIES, "list", path);
    entry *e = &out->entries[out->count++];
    strcpy(e->name, name);
    e->inode = inode;
  }
  fclose(file);
}

static const entry *find(const listing *list, const char *name) {
  for (size_t i = 0; i < list->count; i++)
    if (!strcmp(list->entries[i].name, name)) return &list->entries[i];
  return NULL;
}

static bool has(const listing *list, uint64_t inode) {
  for (size_t i = 0; i < list->count; i++)
    if (list->entries[i].inode == inode) return true;
  return false;
}

static void empty_folder(const char *folder) {
  char path[PATH_MAX];
  listing list;
  list_folder(&list, folder);
  for (size_t i = 0; i < list.count; i++)
    require(unlink(in(path, folder, list.entries[i].name)) == 0, "remove", path);
}

/* Forgets the inodes that no entry speaks of: they will be given to other files. */
static void tidy(const char *folder, const listing *entries) {
  char path[PATH_MAX], disk[PATH_MAX];
  listing list;
  snprintf(disk, sizeof disk, "%s.disk", folder);
  list_folder(&list, disk);
  for (size_t i = 0; i < list.count; i++) {
    const char *name = list.entries[i].name;
    if (name[0] == 'k' || (name[0] == 'i' && !has(entries, strtoull(name + 1, NULL, 10))))
      unlink(in(path, disk, name));
  }
}

void disk_synced_folder(const char *folder) {
  char path[PATH_MAX];
  listing list;
  list_folder(&list, folder);
  snprintf(path, sizeof path, "%s.disk/entries", folder);
  contents text = {calloc(ENTRIES, NAME + 24), 0};
  require(text.bytes != NULL, "list", folder);
  for (size_t i = 0; i < list.count; i++)
    text.length += (size_t)sprintf((char *)text.bytes + text.length, "%llu %s\n",
                                   (unsigned long long)list.entries[i].inode, list.entries[i].name);
  put(folder, path, &text);
  free(text.bytes);
  tidy(folder, &list);
}

void disk_synced(const char *folder, int descriptor) {
  char source[PATH_MAX], target[PATH_MAX];
  struct stat facts;
  require(fstat(descriptor, &facts) == 0, "look at a file of", folder);
  snprintf(source, sizeof source, "/proc/self/fd/%d", descriptor);
  copy_to(folder, beside(target, folder, 'i', facts.st_ino), source);
}

/* Whatever an earlier file with this inode held is not this one's. */
void disk_created(const char *folder, int descriptor) {
  char path[PATH_MAX];
  struct stat facts;
  require(fstat(descriptor, &facts) == 0, "look at a file of", folder);
  unlink(beside(path, folder, 'i', facts.st_ino));
}

void disk_leaving(const char *folder, const char *path) {
  char kept[PATH_MAX];
  struct stat facts;
  if (lstat(path, &facts) != 0 || !S_ISREG(facts.st_mode)) return;
  if (facts.st_nlink > 1) return; /* another name keeps it */
  beside(kept, folder, 'k', facts.st_ino);
  require(link(path, kept) == 0 || errno == EEXIST, "keep", path);
}

void disk_begin(const char *folder) {
  char path[PATH_MAX], target[PATH_MAX];
  listing list;
  disk_end(folder);
  snprintf(path, sizeof path, "%s.disk", folder);
  require(mkdir(path, 0700) == 0, "make", path);
  list_folder(&list, folder);
  for (size_t i = 0; i < list.count; i++)
    copy_to(folder, beside(target, folder, 'i', list.entries[i].inode),
            in(path, folder, list.entries[i].name));
  disk_synced_folder(folder);
}

void disk_end(const char *folder) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s.disk", folder);
  if (access(path, F_OK) != 0) return;
  empty_folder(path);
  require(rmdir(path) == 0, "remove", path);
}

/* splitmix64: a fair coin from a seed; seed 0 always falls on "lost". */
static int reached(uint64_t *seed) {
  if (*seed == 0) return 0;
  uint64_t z = (*seed += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return (int)((z ^ (z >> 31)) >> 63);
}

/* Some sectors of now over what was durable; now's bytes are used up. */
static void mix(contents *durable, contents *now, uint64_t *seed) {
  const size_t length = reached(seed) ? now->length : durable->length;
  const size_t most = durable->length > now->length ? durable->length : now->length;
  unsigned char *bytes = calloc(most + 1, 1);
  require(bytes != NULL, "hold", "a file");
  memcpy(bytes, durable->bytes, durable->length);
  for (size_t start = 0; start < now->length; start += SECTOR) {
    size_t size = now->length - start < SECTOR ? now->length - start : SECTOR;
    if (reached(seed)) memcpy(bytes + start, now->bytes + start, size);
  }
  free(durable->bytes);
  free(now->bytes);
  *durable = (contents){bytes, length};
}

/* The bytes of an inode after the cut. */
static contents survive(const char *folder, const listing *now, uint64_t inode, uint64_t *seed) {
  char path[PATH_MAX];
  contents durable, current;
  if (!read_all(&durable, beside(path, folder, 'i', inode))) {
    durable.bytes = malloc(1);
    require(durable.bytes != NULL, "hold", path);
  }
  if (*seed == 0) return durable;
  beside(path, folder, 'k', inode);
  for (size_t i = 0; i < now->count; i++)
    if (now->entries[i].inode == inode) in(path, folder, now->entries[i].name);
  if (read_all(&current, path)) mix(&durable, &current, seed);
  return durable;
}

void disk_cut(const char *folder, uint64_t seed) {
  static listing durable, now, all;
  static contents left[ENTRIES];
  char path[PATH_MAX];
  list_durable(&durable, folder);
  list_folder(&now, folder);
  all.count = 0;
  for (size_t i = 0; i < durable.count + now.count; i++) {
    const entry *e = i < durable.count ? &durable.entries[i] : &now.entries[i - durable.count];
    if (i >= durable.count && find(&durable, e->name)) continue; /* decided already */
    const entry *kept = reached(&seed) ? find(&now, e->name) : find(&durable, e->name);
    if (!kept) continue;
    require(all.count < ENTRIES, "list", folder);
    left[all.count] = survive(folder, &now, kept->inode, &seed);
    all.entries[all.count++] = *kept;
  }
  empty_folder(folder);
  for (size_t i = 0; i < all.count; i++) {
    write_all(in(path, folder, all.entries[i].name), &left[i]);
    free(left[i].bytes);
  }
  disk_begin(folder);
}
