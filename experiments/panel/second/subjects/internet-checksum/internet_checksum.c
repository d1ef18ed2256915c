/* The checksum of the Internet protocols, RFC 1071. */
#include <stddef.h>
#include <stdint.h>

/*
 * The checksum of some bytes: the complement of the one's complement sum of their 16-bit words.
 *
 * The first byte of a word is the higher one. An odd byte at the end is followed by a zero.
 */
uint16_t internet_checksum(const uint8_t *data, size_t length) {
    uint32_t sum = 0;
    size_t i;
    for (i = 0; i + 1 < length; i += 2) {
        sum += (uint32_t)data[i] << 8 | data[i + 1];
        /* The carry is added at the lower end, as one's complement has it. */
        sum = (sum & 0xffff) + (sum >> 16);
    }
    if (i < length) {
        sum += (uint32_t)data[i] << 8;
        sum = (sum & 0xffff) + (sum >> 16);
    }
    return (uint16_t)~sum;
}
