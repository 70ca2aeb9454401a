#include "byte_source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/system/c_locale.h"

#define PACKED_BLOCK ((size_t)1 << 16)
#define SPOOL_BLOCK ((size_t)1 << 18)
#define GZIP_WINDOW (15 + 16) /* zlib: the largest window, gzip framing only */

/* Where a gzip source stands: a file is one or more members, one after the other. */
typedef enum gzip_state { BETWEEN_MEMBERS, IN_MEMBER, IN_PADDING, AFTER_LAST } gzip_state;

struct sfmi_source {
  char *name;
  int fd;                      /* -1: memory */
  const unsigned char *memory; /* NULL: fd */
  uint64_t size;               /* raw bytes */
  uint64_t offset;             /* raw bytes already handed on */
  bool gzip;
  gzip_state state;
  z_stream inflater;
  bool inflater_ready;
  unsigned char *packed;
  sfmi_digest *digest; /* of what is read, or NULL */
};

static sfm_status fail_system(const sfmi_source *source, sfm_error *error, const char *what) {
  return sfmi_fail(error, SFM_IO, "cannot %s %s: %s", what, source->name, sfmi_strerror(errno));
}

static sfm_status write_all(int fd, const char *bytes, size_t size, sfm_error *error) {
  while (size > 0) {
    ssize_t wrote = write(fd, bytes, size);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0)
      return sfmi_fail(error, SFM_IO, "cannot write the temporary copy of the rows: %s",
                       sfmi_strerror(errno));
    bytes += wrote;
    size -= (size_t)wrote;
  }
  return SFM_OK;
}

/* A file of mode 0600 that no name leads to, or -1. */
static int open_nameless(void) {
  const char *folder = getenv("TMPDIR");
  if (!folder || !*folder) folder = "/tmp";
  int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);
  if (fd >= 0) return fd;
  char *path = NULL;
  if (sfmi_asprintf(&path, "%s/sfumato-XXXXXX", folder) < 0) return -1;
  fd = mkostemp(path, O_CLOEXEC);
  if (fd >= 0) unlink(path);
  free(path);
  return fd;
}

/* Copies what can be read only once; the source then reads the copy. */
static sfm_status spool(sfmi_source *source, int input, sfm_error *error) {
  sfm_status status = SFM_OK;
  char *block = malloc(SPOOL_BLOCK);
  if (!block) return sfmi_fail_memory(error);
  source->fd = open_nameless();
  if (source->fd < 0) {
    status = sfmi_fail(error, SFM_IO,
                       "cannot make a temporary file for %s: %s; set TMPDIR to a folder that can "
                       "be written",
                       source->name, sfmi_strerror(errno));
    goto done;
  }
  for (;;) {
    ssize_t got = read(input, block, SPOOL_BLOCK);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) status = fail_system(source, error, "read");
    if (got <= 0) break;
    status = write_all(source->fd, block, (size_t)got, error);
    if (status) break;
    source->size += (uint64_t)got;
  }
done:
  free(block);
  return status;
}

static sfm_status open_file(sfmi_source *source, const char *path, sfm_error *error) {
  sfm_status status = SFM_OK;
  struct stat facts;
  bool standard = strcmp(path, "-") == 0;
  int input = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (input < 0)
    return sfmi_fail(error, SFM_INVALID, "cannot open %s: %s", source->name, sfmi_strerror(errno));
  if (fstat(input, &facts) != 0) {
    status = fail_system(source, error, "look at");
  } else if (S_ISDIR(facts.st_mode)) {
    status = sfmi_fail(error, SFM_INVALID, "%s is a folder: name a CSV or NPY file", source->name);
  } else if (standard || !S_ISREG(facts.st_mode)) {
    status = spool(source, input, error);
  } else {
    source->fd = input;
    source->size = (uint64_t)facts.st_size;
    input = -1;
  }
  if (input >= 0 && !standard) close(input);
  return status;
}

sfm_status sfmi_source_read_at(const sfmi_source *source, void *buffer, size_t *got,
                               size_t capacity, uint64_t offset, sfm_error *error) {
  const uint64_t left = source->size > offset ? source->size - offset : 0;
  if (capacity > left) capacity = (size_t)left;
  *got = 0;
  if (capacity == 0) return SFM_OK;
  if (source->memory) {
    memcpy(buffer, source->memory + offset, capacity);
    *got = capacity;
  } else {
    ssize_t count;
    do {
      count = pread(source->fd, buffer, capacity, (off_t)offset);
    } while (count < 0 && errno == EINTR);
    if (count < 0) return fail_system(source, error, "read");
    *got = (size_t)count;
  }
  return SFM_OK;
}

static sfm_status raw_read(sfmi_source *source, void *buffer, size_t *got, size_t capacity,
                           sfm_error *error) {
  const sfm_status status =
      sfmi_source_read_at(source, buffer, got, capacity, source->offset, error);
  source->offset += *got;
  return status;
}

static sfm_status start_gzip(sfmi_source *source, sfm_error *error) {
  source->packed = malloc(PACKED_BLOCK);
  if (!source->packed) return sfmi_fail_memory(error);
  if (inflateInit2(&source->inflater, GZIP_WINDOW) != Z_OK) return sfmi_fail_memory(error);
  source->inflater_ready = true;
  return SFM_OK;
}

/* Stands at the first byte, ready to unpack. */
static sfm_status prepare(sfmi_source *source, sfmi_packing packing, sfm_error *error) {
  unsigned char magic[2];
  size_t got = 0;
  if (packing == SFMI_PLAIN) return SFM_OK;
  sfm_status status = raw_read(source, magic, &got, sizeof magic, error);
  if (status) return status;
  source->offset = 0;
  source->gzip = got == 2 && magic[0] == 0x1f && magic[1] == 0x8b;
  if (packing == SFMI_GZIP && !source->gzip)
    return sfmi_fail(error, SFM_FORMAT,
                     "%s is not gzip, as its name or rows.compression says: give the file another "
                     "name, or write rows.compression = none",
                     source->name);
  return source->gzip ? start_gzip(source, error) : SFM_OK;
}

static sfmi_source *new_source(const char *name) {
  sfmi_source *source = sfmi_alloc(1, sizeof *source);
  if (!source) return NULL;
  source->fd = -1;
  source->name = sfmi_copy_string(name);
  if (source->name) return source;
  free(source);
  return NULL;
}

/* *out becomes the source, ready to be read, unless opening it failed. */
static sfm_status hand_out(sfmi_source **out, sfmi_source *source, sfmi_packing packing,
                           sfm_status status, sfm_error *error) {
  if (!status) status = prepare(source, packing, error);
  *out = status ? NULL : source;
  if (status) sfmi_source_close(source);
  return status;
}

sfm_status sfmi_source_open(sfmi_source **out, const char *path, sfmi_packing packing,
                            sfm_error *error) {
  sfmi_source *source = new_source(strcmp(path, "-") == 0 ? "standard input" : path);
  const sfm_status status = source ? open_file(source, path, error) : sfmi_fail_memory(error);
  return hand_out(out, source, packing, status, error);
}

sfm_status sfmi_source_open_memory(sfmi_source **out, const void *bytes, size_t size,
                                   sfmi_packing packing, sfm_error *error) {
  *out = NULL;
  sfmi_source *source = new_source("the array");
  if (!source) return sfmi_fail_memory(error);
  source->memory = size ? bytes : (const unsigned char *)"";
  source->size = size;
  return hand_out(out, source, packing, SFM_OK, error);
}

void sfmi_source_close(sfmi_source *source) {
  if (!source) return;
  if (source->inflater_ready) inflateEnd(&source->inflater);
  if (source->fd >= 0) close(source->fd);
  free(source->packed);
  free(source->name);
  free(source);
}

const char *sfmi_source_name(const sfmi_source *source) {
  return source->name;
}

bool sfmi_source_size(const sfmi_source *source, uint64_t *size) {
  *size = source->size;
  return !source->gzip;
}

/* Has packed bytes at hand unless the file has ended. */
static sfm_status feed(sfmi_source *source, sfm_error *error) {
  if (source->inflater.avail_in > 0) return SFM_OK;
  size_t got;
  sfm_status status = raw_read(source, source->packed, &got, PACKED_BLOCK, error);
  source->inflater.next_in = source->packed;
  source->inflater.avail_in = (uInt)got;
  return status;
}

static sfm_status fail_damaged(const sfmi_source *source, sfm_error *error) {
  return sfmi_fail(error, SFM_IO, "the gzip data of %s is damaged", source->name);
}

/* After a member: another follows, or padding, or the end. */
static sfm_status leave_member(sfmi_source *source, sfm_error *error) {
  z_stream *z = &source->inflater;
  source->state = z->avail_in == 0 ? AFTER_LAST : *z->next_in == 0 ? IN_PADDING : IN_MEMBER;
  if (source->state == IN_MEMBER && inflateReset(z) != Z_OK) return sfmi_fail_memory(error);
  return SFM_OK;
}

/* Zeros to the end. */
static sfm_status skip_padding(sfmi_source *source, sfm_error *error) {
  z_stream *z = &source->inflater;
  if (z->avail_in == 0) source->state = AFTER_LAST;
  for (; z->avail_in > 0; z->avail_in--)
    if (*z->next_in++ != 0) return fail_damaged(source, error);
  return SFM_OK;
}

static sfm_status gzip_read(sfmi_source *source, void *buffer, size_t *got, size_t capacity,
                            sfm_error *error) {
  z_stream *z = &source->inflater;
  if (capacity > PACKED_BLOCK * 64) capacity = PACKED_BLOCK * 64;
  z->next_out = buffer;
  z->avail_out = (uInt)capacity;
  *got = 0;
  while (z->avail_out == capacity && source->state != AFTER_LAST) {
    sfm_status status = feed(source, error);
    if (status) return status;
    if (source->state == BETWEEN_MEMBERS) status = leave_member(source, error);
    if (source->state == IN_PADDING && !status) status = skip_padding(source, error);
    if (status) return status;
    if (source->state != IN_MEMBER) continue;
    if (z->avail_in == 0)
      return sfmi_fail(error, SFM_IO, "%s ends in the middle of its gzip data: it was cut short",
                       source->name);
    int code = inflate(z, Z_NO_FLUSH);
    if (code == Z_STREAM_END)
      source->state = BETWEEN_MEMBERS;
    else if (code == Z_MEM_ERROR)
      return sfmi_fail_memory(error);
    else if (code != Z_OK && code != Z_BUF_ERROR)
      return fail_damaged(source, error);
  }
  *got = capacity - z->avail_out;
  return SFM_OK;
}

sfm_status sfmi_source_read(sfmi_source *source, void *buffer, size_t *got, size_t capacity,
                            sfm_error *error) {
  sfm_status status = source->gzip ? gzip_read(source, buffer, got, capacity, error)
                                   : raw_read(source, buffer, got, capacity, error);
  if (!status && source->digest) sfmi_digest_add(source->digest, buffer, *got);
  return status;
}

void sfmi_source_digest(sfmi_source *source, sfmi_digest *digest) {
  source->digest = digest;
}

sfm_status sfmi_source_rewind(sfmi_source *source, uint64_t offset, sfm_error *error) {
  if (!source->gzip) {
    source->offset = offset;
    return SFM_OK;
  }
  source->offset = 0;
  source->state = BETWEEN_MEMBERS;
  source->inflater.avail_in = 0;
  unsigned char dropped[4096];
  while (offset > 0) {
    size_t got, wanted = offset < sizeof dropped ? (size_t)offset : sizeof dropped;
    sfm_status status = gzip_read(source, dropped, &got, wanted, error);
    if (status) return status;
    if (got == 0) break;
    offset -= got;
  }
  return SFM_OK;
}
