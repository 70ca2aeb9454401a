/* command_client.c - `command_client SOCKET WORD...` runs `sfumato WORD...` in a child of the
 * server (command_server.c) as if it were started here: same files, folder, environment, umask,
 * limits. Ends as the command ended. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "request.h"

extern char **environ;

static void die(const char *what) {
  perror(what);
  exit(125);
}

static int reach(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  const int server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (server < 0 || strlen(path) >= sizeof address.sun_path) die("command_client: socket");
  strcpy(address.sun_path, path);
  if (connect(server, (struct sockaddr *)&address, sizeof address) != 0)
    die("command_client: connect");
  return server;
}

static uint32_t measure(char *const *strings, uint32_t *count) {
  uint32_t size = 0;
  for (*count = 0; strings[*count]; ++*count) size += (uint32_t)strlen(strings[*count]) + 1;
  return size;
}

static void send_all(int server, const void *bytes, size_t size) {
  while (size) {
    const ssize_t sent = write(server, bytes, size);
    if (sent <= 0) die("command_client: write");
    bytes = (const char *)bytes + sent;
    size -= (size_t)sent;
  }
}

static void send_head(int server, request_head *head) {
  int files[REQUEST_FILES] = {0, 1, 2, open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof files)];
  } control = {0};
  struct iovec part = {head, sizeof *head};
  struct msghdr message = {.msg_iov = &part,
                           .msg_iovlen = 1,
                           .msg_control = control.space,
                           .msg_controllen = sizeof control.space};
  struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
  rights->cmsg_level = SOL_SOCKET;
  rights->cmsg_type = SCM_RIGHTS;
  rights->cmsg_len = CMSG_LEN(sizeof files);
  memcpy(CMSG_DATA(rights), files, sizeof files);
  if (sendmsg(server, &message, 0) != sizeof *head) die("command_client: sendmsg");
}

int main(int count, char **words) {
  static char name[] = "sfumato";
  request_head head = {0};
  int status = 0;
  if (count < 2) return 125;
  const int server = reach(words[1]);
  words[1] = name;
  head.size = measure(words + 1, &head.words);
  head.size += measure(environ, &head.variables);
  head.mask = umask(0);
  for (int i = 0; i < REQUEST_LIMITS; i++) getrlimit(i, &head.limits[i]);
  send_head(server, &head);
  for (char **w = words + 1; *w; w++) send_all(server, *w, strlen(*w) + 1);
  for (char **v = environ; *v; v++) send_all(server, *v, strlen(*v) + 1);
  if (read(server, &status, sizeof status) != sizeof status) die("command_client: no answer");
  if (WIFSIGNALED(status)) {
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
  }
  return WEXITSTATUS(status);
}
