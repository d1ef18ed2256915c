#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Where an output of a call is written: a number into the first bytes, of a text or a sequence where it lies and how long it is. */
typedef struct { uintptr_t word; size_t length; } dodona_slot;

/* A copy of what a call gives, which lives longer than the call. */
static dodona_slot dodona_items(const void *items, size_t count, size_t bytes) {
    dodona_slot slot = { 0, 0 };
    if (count == 0) return slot;
    void *copy = items ? malloc(count * bytes) : NULL;
    /* Something that is not there is no output: only `Option<...>` may be missing. */
    if (!copy) __builtin_trap();
    memcpy(copy, items, count * bytes);
    slot.word = (uintptr_t)copy;
    slot.length = count;
    return slot;
}
