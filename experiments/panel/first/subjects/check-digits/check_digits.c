/* Check digits by ISO/IEC 7064, MOD 97-10, as in IBANs. */

/* What a character stands for: 0 to 9 for digits, 10 to 35 for letters, or -1. */
static int value_of(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 10;
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 10;
    return -1;
}

/*
 * The number from 2 to 98 that makes the code, followed by the number in two digits, 1 more than a multiple of 97.
 *
 * Letters stand for 10 (A) to 35 (Z), small ones like large ones, and spaces are ignored. The result is -1 if the code has no
 * digit and no letter, or contains any other character.
 */
int check_digits(const char *code) {
    int remainder = 0, characters = 0;
    for (; *code != '\0'; code++) {
        int value;
        if (*code == ' ')
            continue;
        value = value_of(*code);
        if (value < 0)
            return -1;
        remainder = (remainder * (value < 10 ? 10 : 100) + value) % 97;
        characters++;
    }
    if (characters == 0)
        return -1;
    return 98 - remainder * 100 % 97;
}
