/* codec.c with one fault: base64 of a last group of two bytes loses the low bits of the second (marked `fault`). */
#include <stddef.h>
#include <stdint.h>

static const char HEX[] = "0123456789abcdef";
static const char BASE64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Puts a byte into a buffer that may be too small; gives the length so far all the same. */
static size_t put(char *out, size_t capacity, size_t at, char c) {
    if (at < capacity) {
        out[at] = c;
    }
    return at + 1;
}

size_t hex_encode(const uint8_t *bytes, size_t n, char *out, size_t capacity) {
    size_t length = 0;
    for (size_t i = 0; i < n; i++) {
        length = put(out, capacity, length, HEX[bytes[i] >> 4]);
        length = put(out, capacity, length, HEX[bytes[i] & 15]);
    }
    return length;
}

/* The value of a hexadecimal digit of either case; -1 for anything else. */
static int digit(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    if (c >= 'A' && c <= 'F') {
        return c - 'A' + 10;
    }
    return -1;
}

/* Traps on what is not hexadecimal, or has a digit too many. */
size_t hex_decode(const char *text, size_t n, uint8_t *out, size_t capacity) {
    if (n % 2 != 0 || n / 2 > capacity) {
        __builtin_trap();
    }
    for (size_t i = 0; i < n; i += 2) {
        int high = digit(text[i]), low = digit(text[i + 1]);
        if (high < 0 || low < 0) {
            __builtin_trap();
        }
        out[i / 2] = (uint8_t)(high << 4 | low);
    }
    return n / 2;
}

size_t base64_encode(const uint8_t *bytes, size_t n, char *out, size_t capacity) {
    size_t length = 0;
    for (size_t i = 0; i < n; i += 3) {
        size_t left = n - i;
        uint32_t group = (uint32_t)bytes[i] << 16;
        if (left > 1) {
            group |= (uint32_t)(left > 2 ? bytes[i + 1] : bytes[i + 1] & 0xf0) << 8; /* fault */
        }
        if (left > 2) {
            group |= bytes[i + 2];
        }
        length = put(out, capacity, length, BASE64[group >> 18]);
        length = put(out, capacity, length, BASE64[group >> 12 & 63]);
        length = put(out, capacity, length, left > 1 ? BASE64[group >> 6 & 63] : '=');
        length = put(out, capacity, length, left > 2 ? BASE64[group & 63] : '=');
    }
    return length;
}

/* The value of a digit of base64; -1 for anything else. */
static int sextet(char c) {
    for (int value = 0; value < 64; value++) {
        if (BASE64[value] == c) {
            return value;
        }
    }
    return -1;
}

/* Traps on what is not base64 with its padding. */
size_t base64_decode(const char *text, size_t n, uint8_t *out, size_t capacity) {
    if (n % 4 != 0) {
        __builtin_trap();
    }
    size_t length = 0;
    for (size_t i = 0; i < n; i += 4) {
        int is_last = i + 4 == n;
        int padding = 0;
        uint32_t group = 0;
        for (size_t j = i; j < i + 4; j++) {
            int value = sextet(text[j]);
            if (value < 0 && text[j] == '=' && is_last && j >= i + 2) {
                padding++;
                value = 0;
            } else if (value < 0 || padding > 0) {
                __builtin_trap();
            }
            group = group << 6 | (uint32_t)value;
        }
        for (int k = 0; k < 3 - padding; k++) {
            if (length < capacity) {
                out[length] = (uint8_t)(group >> (16 - 8 * k));
            }
            length++;
        }
    }
    return length;
}
