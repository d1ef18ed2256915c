/* clang --target=wasm32-wasi -O1 -mexec-model=reactor numbers.c -lm -Wl,--strip-debug -o numbers.wasm
   Functions that reuse their instance, and some that cannot. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT(name) __attribute__((export_name(#name)))

EXPORT(sine) double sine(double x) { return sin(x); }

EXPORT(add) int add(int a, int b) { return (int)((unsigned)a + (unsigned)b); }

EXPORT(mean) double mean(const int *xs, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += xs[i];
  return n ? sum / n : 0;
}

static int ascending(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

EXPORT(sort) void sort(int *xs, int n) { qsort(xs, n, sizeof *xs, ascending); }

/* A static counter: the second call of an instance differs from the first. */
static int calls;
EXPORT(counted) int counted(int x) { return x + ++calls; }

/* The allocator's state is in memory too. */
EXPORT(allocates) int allocates(int n) {
  char *p = malloc(n > 0 ? n & 1023 : 1);
  if (!p) return -1;
  int at = (int)(p - (char *)0);
  return at;
}

/* errno is a static variable. */
EXPORT(parses) int parses(const char *text) {
  errno = 0;
  return (int)strtol(text, 0, 10) + errno;
}

EXPORT(prints) int prints(int x) { return printf("%d\n", x); }

/* Reads its frame before it writes it: what an earlier call left would show. */
__attribute__((noinline)) static int peek(int write, int at) {
  volatile int frame[64];
  int seen = frame[at & 63];
  if (write) frame[at & 63] = write;
  return seen;
}
EXPORT(uninitialised) int uninitialised(int write, int at) { return peek(write, at); }

/* One element too far, as an off-by-one fault has it. */
EXPORT(overrun) int overrun(int *xs, int n) {
  int last = xs[n];
  for (int i = 0; i <= n; i++) xs[i] += i + 1;
  return last;
}

/* A frame of its own, indexed out of its bounds by the caller. */
EXPORT(stray) int stray(int index, int value) {
  volatile int frame[8] = {0};
  frame[index] = value;
  return frame[0] + frame[7];
}

/* Reads its frame with an argument in memory: what the allocator of the argument left would show. */
EXPORT(residue) int residue(const int *xs, int n, int at) {
  volatile int frame[1024];
  int seen = frame[at & 1023];
  frame[at & 1023] = n ? xs[0] : 1;
  return seen;
}

EXPORT(divide) int divide(int a, int b) { return b / a; }
