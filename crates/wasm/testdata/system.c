/* clang --target=wasm32-wasi -O1 system.c -Wl,--strip-debug -o system.wasm
   A command that uses what WASI offers: run with a task as its first word. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int args(int argc, char **argv) {
  for (int i = 1; i < argc; i++) printf("[%s]", argv[i]);
  return 0;
}

static int copy(void) {
  char line[64];
  while (fgets(line, sizeof line, stdin)) fputs(line, stdout);
  fprintf(stderr, "copied");
  return 0;
}

static int files(void) {
  FILE *in = fopen("input.txt", "r");
  if (!in) return perror("input.txt"), 1;
  char text[256];
  size_t n = fread(text, 1, sizeof text, in);
  printf("%zu:%.*s;", n, (int)n, text);
  if (fopen("/missing", "r")) return 2;
  printf("%s;", strerror(errno));
  if (mkdir("folder", 0777)) return 3;
  FILE *out = fopen("folder/out.txt", "w+");
  if (!out) return 4;
  fprintf(out, "one two three");
  fseek(out, 4, SEEK_SET);
  if (fscanf(out, "%15s", text) != 1) return 5;
  printf("%s;", text);
  struct stat st;
  if (fflush(out) || stat("folder/out.txt", &st)) return 6;
  printf("%d;", (int)st.st_size);
  if (rename("folder/out.txt", "moved.txt") || rmdir("folder")) return 7;
  DIR *dir = opendir("/");
  if (!dir) return 8;
  for (struct dirent *entry; (entry = readdir(dir));) printf("%s,", entry->d_name);
  if (unlink("moved.txt") || !unlink("moved.txt")) return 9;
  if (!fopen("../../etc/passwd", "r")) printf(";outside refused");
  return 0;
}

static int sources(void) {
  unsigned char bytes[16];
  if (getentropy(bytes, sizeof bytes)) return 1;
  for (int i = 0; i < 16; i++) printf("%02x", bytes[i]);
  struct timespec a, b;
  clock_gettime(CLOCK_REALTIME, &a);
  clock_gettime(CLOCK_MONOTONIC, &b);
  printf(";%d %d;%ld", (int)a.tv_sec, (int)b.tv_sec, b.tv_nsec - a.tv_nsec);
  struct timespec day = {86400, 0};
  printf(";slept %d", nanosleep(&day, 0));
  printf(";%s", getenv("HOME") ? "environment" : "no environment");
  return 0;
}

int main(int argc, char **argv) {
  const char *task = argc > 1 ? argv[1] : "";
  if (!strcmp(task, "args")) return args(argc, argv);
  if (!strcmp(task, "copy")) return copy();
  if (!strcmp(task, "files")) return files();
  if (!strcmp(task, "sources")) return sources();
  if (!strcmp(task, "abort")) abort();
  if (!strcmp(task, "loop")) for (volatile int i = 0;; i++);
  if (!strcmp(task, "flood")) for (;;) puts("flood");
  return argc > 2 ? atoi(argv[2]) : 0;
}
