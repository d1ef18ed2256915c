/* A function for each way in which values cross into a call and back. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

bool negated(bool b) {
    return !b;
}

/* Out of eight bits: the next, at the end the same. */
int8_t next(int8_t small) {
    return small == INT8_MAX ? small : (int8_t)(small + 1);
}

uint64_t swapped(uint64_t wide) {
    return wide << 32 | wide >> 32;
}

uint32_t mirrored(uint32_t bits) {
    uint32_t mirror = 0;
    for (int i = 0; i < 32; i++) {
        mirror = mirror << 1 | (bits >> i & 1);
    }
    return mirror;
}

float third(float single) {
    return single / 3;
}

/* Text with a NUL at its end. */
uint32_t vowels(const char *word) {
    uint32_t count = 0;
    for (; *word != 0; word++) {
        count += strchr("aeiou", *word) != NULL;
    }
    return count;
}

/* Written back, shorter than it was. */
void first_word(char *line) {
    line[strcspn(line, " ")] = 0;
}

struct shorts {
    int16_t *data;
    size_t length;
};

struct shorts doubled(const int16_t *shorts, size_t length) {
    static int16_t both[256];
    for (size_t i = 0; i < 2 * length; i++) {
        both[i] = shorts[i % length];
    }
    struct shorts result = {both, 2 * length};
    return result;
}

/* Into a buffer of the caller's. */
size_t running(const double *reals, size_t length, double *out, size_t capacity) {
    double sum = 0;
    for (size_t i = 0; i < length && i < capacity; i++) {
        out[i] = sum += reals[i];
    }
    return length;
}

const char *weekday(uint8_t day) {
    static const char *const names[] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "S\303\240bado"};
    return names[day % 7];
}

/* Traps where there is nothing to divide by. */
int32_t ratio(int32_t over, int32_t under) {
    if (under == 0) {
        __builtin_trap();
    }
    return over == INT32_MIN && under == -1 ? over : over / under;
}

/* In ascending numbers without repetition, counted by steps. */
int32_t place(size_t length, int32_t step, const uint16_t *ranks, uint16_t rank) {
    for (size_t i = 0; i < length; i += (size_t)step) {
        if (ranks[i] == rank) {
            return (int32_t)i;
        }
    }
    return -1;
}

int32_t suit(const char *name, size_t length) {
    return length == 6 && memcmp(name, "hearts", 6) == 0;
}

static bool other_nan(double real) {
    uint64_t bits;
    memcpy(&bits, &real, sizeof bits);
    return real != real && bits != 0x7ff8000000000000u;
}

static bool other_single_nan(float real) {
    uint32_t bits;
    memcpy(&bits, &real, sizeof bits);
    return real != real && bits != 0x7fc00000u;
}

/* How many NaNs other than the canonical one came. */
uint32_t odd_nans(double number, float single, const double *numbers, size_t length, const float *singles, size_t count) {
    uint32_t odd = (uint32_t)(other_nan(number) + other_single_nan(single));
    for (size_t i = 0; i < length; i++) {
        odd += other_nan(numbers[i]);
    }
    for (size_t i = 0; i < count; i++) {
        odd += other_single_nan(singles[i]);
    }
    return odd;
}

double flipped(double number) {
    return -number;
}

float flipped_single(float single) {
    return -single;
}

/* Nothing comes back. */
void refuse(int32_t number) {
    if (number < 0) {
        __builtin_trap();
    }
}
