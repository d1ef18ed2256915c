/* Whole inputs through the block functions of libb64. */
#include <stddef.h>
#include <b64/cdecode.h>
#include <b64/cencode.h>

size_t encode(const char *data, size_t n, char *out, size_t capacity) {
    base64_encodestate state;
    (void)capacity;
    base64_init_encodestate(&state);
    int length = base64_encode_block(data, (int)n, out, &state);
    return length + base64_encode_blockend(out + length, &state);
}

size_t decode(const char *code, size_t n, char *out, size_t capacity) {
    base64_decodestate state;
    (void)capacity;
    base64_init_decodestate(&state);
    return base64_decode_block(code, (int)n, out, &state);
}
