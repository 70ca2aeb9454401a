/* command_server.c - the command, started once: `command_server SOCKET` waits for clients
 * (command_client.c) and runs each of their commands in a child of its own.
 *
 * A sanitized command takes longer to start than most of what the scripts ask of it, and its start
 * is the same each time.  A child begins as a fresh process does: its files, folder, environment,
 * umask and limits are the client's, and nothing of the command has run before the fork. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "request.h"

int sfumato_main(int count, char **words);
extern char **environ;

enum { CLIENTS = 64 };

static struct {
  pid_t child;
  int client;
} running[CLIENTS];
static size_t used;

/* The path is there as soon as clients may come, and no sooner. */
static int bind_to(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  const size_t room = sizeof address.sun_path;
  const int server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (server < 0 || (size_t)snprintf(address.sun_path, room, "%s.new", path) >= room) return -1;
  if (bind(server, (struct sockaddr *)&address, sizeof address) != 0) return -1;
  if (listen(server, CLIENTS) != 0 || rename(address.sun_path, path) != 0) return -1;
  return server;
}

static bool receive_head(int client, request_head *head, int files[REQUEST_FILES]) {
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(REQUEST_FILES * sizeof(int))];
  } control;
  struct iovec part = {head, sizeof *head};
  struct msghdr message = {.msg_iov = &part,
                           .msg_iovlen = 1,
                           .msg_control = control.space,
                           .msg_controllen = sizeof control.space};
  if (recvmsg(client, &message, MSG_CMSG_CLOEXEC | MSG_WAITALL) != sizeof *head) return false;
  struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
  if (!rights || rights->cmsg_len != CMSG_LEN(REQUEST_FILES * sizeof(int))) return false;
  memcpy(files, CMSG_DATA(rights), REQUEST_FILES * sizeof(int));
  return true;
}

static char *receive_strings(int client, size_t size) {
  char *strings = malloc(size + 1);
  size_t have = 0;
  while (strings && have < size) {
    const ssize_t got = read(client, strings + have, size - have);
    if (got <= 0) break;
    have += (size_t)got;
  }
  if (strings && have == size) return strings;
  free(strings);
  return NULL;
}

static char **point(char **strings, uint32_t count) {
  char **list = calloc(count + 1, sizeof *list);
  for (uint32_t i = 0; list && i < count; i++) {
    list[i] = *strings;
    *strings += strlen(*strings) + 1;
  }
  return list;
}

/* In the child.  Lists and strings are the process's own, as they are of any process. */
static _Noreturn void become(const request_head *head, const int files[REQUEST_FILES],
                             char *strings) {
  static char **words, **variables;
  words = point(&strings, head->words);
  variables = point(&strings, head->variables);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  if (!words || !variables || fchdir(files[REQUEST_FILES - 1]) != 0) _exit(125);
  for (int i = 0; i < 3; i++)
    if (dup2(files[i], i) < 0) _exit(125);
  for (int i = 0; i < REQUEST_FILES; i++)
    if (files[i] > 2) close(files[i]);
  for (int i = 0; i < REQUEST_LIMITS; i++) setrlimit(i, &head->limits[i]);
  umask((mode_t)head->mask);
  environ = variables;
  exit(sfumato_main((int)head->words, words));
}

static void begin(int server, int ended) {
  static char *strings; /* reachable in the child until it ends */
  request_head head;
  int files[REQUEST_FILES];
  const int client = accept4(server, NULL, NULL, SOCK_CLOEXEC);
  if (client < 0) return;
  strings = NULL;
  if (used < CLIENTS && receive_head(client, &head, files)) {
    strings = receive_strings(client, head.size);
    const pid_t child = strings ? fork() : -1;
    if (child == 0) {
      close(server);
      close(ended);
      close(client);
      for (size_t i = 0; i < used; i++) close(running[i].client);
      become(&head, files, strings);
    }
    for (int i = 0; i < REQUEST_FILES; i++) close(files[i]);
    free(strings);
    if (child > 0) {
      running[used].child = child;
      running[used++].client = client;
      return;
    }
  }
  close(client); /* which then says that there was no answer */
}

static void finish(int ended) {
  struct signalfd_siginfo said;
  int status;
  pid_t child;
  if (read(ended, &said, sizeof said) != sizeof said) return;
  while ((child = waitpid(-1, &status, WNOHANG)) > 0)
    for (size_t i = 0; i < used; i++)
      if (running[i].child == child) {
        if (write(running[i].client, &status, sizeof status) != sizeof status)
          perror("command_server: write");
        close(running[i].client);
        running[i] = running[--used];
        break;
      }
}

int main(int count, char **words) {
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  sigprocmask(SIG_BLOCK, &child, NULL);
  signal(SIGPIPE, SIG_DFL);
  const int server = count == 2 ? bind_to(words[1]) : -1, ended = signalfd(-1, &child, SFD_CLOEXEC);
  if (server < 0 || ended < 0) {
    perror("command_server");
    return 1;
  }
  for (;;) {
    struct pollfd both[2] = {{server, POLLIN, 0}, {ended, POLLIN, 0}};
    if (poll(both, 2, -1) < 0 && errno != EINTR) return 1;
    if (both[1].revents) finish(ended);
    if (both[0].revents) begin(server, ended);
  }
}
