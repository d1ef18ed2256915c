//:
__extension__ typedef __int128 mr_int;
__extension__ typedef unsigned __int128 mr_natural;

typedef enum { MR_UNDEFINED, MR_TRUTH, MR_WHOLE, MR_REAL, MR_TEXT, MR_LIST } mr_kind;

/* A value. Where something has no value, as after a division by zero, it is undefined, and so is what is made of it. */
typedef struct mr_value mr_value;
struct mr_value {
    mr_kind kind;
    size_t length; /* of a text or list */
    union {
        bool truth;
        mr_int whole;          /* exact: where 128 bits do not hold an integer, it is undefined */
        double real;
        const mr_value *items; /* of a text: characters by their numbers, bytes that are not UTF-8 from MR_BYTE on */
    } as;
};

enum { MR_BYTE = 0x110000 };

/* Memory that lasts as long as a case. */
typedef struct mr_block {
    struct mr_block *before;
    mr_int data[];
} mr_block;

static mr_block *mr_blocks;

static void *mr_take(size_t size) {
    mr_block *block = malloc(sizeof *block + size + 1);
    if (block == NULL) {
        fputs("no memory left\n", stderr);
        exit(3);
    }
    block->before = mr_blocks;
    mr_blocks = block;
    return memset(block->data, 0, size + 1);
}

static void mr_release(void) {
    while (mr_blocks != NULL) {
        mr_block *before = mr_blocks->before;
        free(mr_blocks);
        mr_blocks = before;
    }
}

static mr_value mr_undefined(void) {
    mr_value value;
    memset(&value, 0, sizeof value);
    return value;
}

static bool mr_is_true(mr_value a) {
    return a.kind == MR_TRUTH && a.as.truth;
}

//: mr_truth
static mr_value mr_truth(bool truth) {
    mr_value value = mr_undefined();
    value.kind = MR_TRUTH;
    value.as.truth = truth;
    return value;
}

//: mr_items
static mr_value mr_items(mr_kind kind, size_t length, const mr_value *items) {
    mr_value value = mr_undefined();
    value.kind = kind;
    value.length = length;
    value.as.items = items;
    return value;
}

//: mr_whole
static mr_value mr_whole(mr_int whole) {
    mr_value value = mr_undefined();
    value.kind = MR_WHOLE;
    value.as.whole = whole;
    return value;
}

//: mr_wide
static mr_int mr_wide(uint64_t high, uint64_t low) {
    return (mr_int)((mr_natural)high << 64 | low);
}

//: mr_real
static mr_value mr_real(double real) {
    mr_value value = mr_undefined();
    value.kind = MR_REAL;
    value.as.real = real;
    return value;
}

//: mr_list
/* A list of these values; undefined where one is. */
static mr_value mr_list(size_t length, const mr_value *values) {
    mr_value *items = mr_take(length * sizeof *items);
    for (size_t i = 0; i < length; i++) {
        if (values[i].kind == MR_UNDEFINED) {
            return mr_undefined();
        }
        items[i] = values[i];
    }
    return mr_items(MR_LIST, length, items);
}

//: mr_characters
/* The character at the start of some bytes, and how many bytes it takes. */
static size_t mr_decode(const unsigned char *bytes, size_t length, mr_int *character) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t size = bytes[0] < 0x80 ? 1 : bytes[0] < 0xc2 ? 0 : bytes[0] < 0xe0 ? 2 : bytes[0] < 0xf0 ? 3 : bytes[0] < 0xf5 ? 4 : 0;
    uint32_t code = size < 2 ? bytes[0] : bytes[0] & (0x7fu >> size);
    bool valid = size > 0 && size <= length;
    for (size_t i = 1; valid && i < size; i++) {
        valid = (bytes[i] & 0xc0) == 0x80;
        code = code << 6 | (bytes[i] & 0x3fu);
    }
    valid = valid && code >= least[size] && code < MR_BYTE && !(0xd800 <= code && code < 0xe000);
    *character = valid ? (mr_int)code : (mr_int)MR_BYTE + bytes[0];
    return valid ? size : 1;
}

/* Bytes as a text. */
static mr_value mr_characters(const void *data, size_t length) {
    const unsigned char *bytes = data;
    mr_value *items = mr_take(length * sizeof *items);
    size_t count = 0;
    for (size_t i = 0; i < length; count++) {
        mr_int character;
        i += mr_decode(bytes + i, length - i, &character);
        items[count] = mr_whole(character);
    }
    return mr_items(MR_TEXT, count, items);
}

//: mr_bytes
/* A text as bytes with a zero behind them. */
static char *mr_bytes(mr_value text, size_t *length) {
    char *bytes = mr_take(4 * text.length + 1);
    size_t at = 0;
    for (size_t i = 0; i < text.length; i++) {
        uint32_t c = (uint32_t)text.as.items[i].as.whole;
        if (c >= MR_BYTE || c < 0x80) {
            bytes[at++] = (char)(c >= MR_BYTE ? c - MR_BYTE : c);
            continue;
        }
        int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
        bytes[at++] = (char)((0xff00u >> (more + 1) & 0xff) | c >> 6 * more);
        while (more-- > 0) {
            bytes[at++] = (char)(0x80 | (c >> 6 * more & 0x3f));
        }
    }
    bytes[at] = 0;
    *length = at;
    return bytes;
}

//: mr_print
static void mr_print_whole(mr_int i) {
    char digits[48];
    size_t at = sizeof digits - 1;
    mr_natural rest = i < 0 ? -(mr_natural)i : (mr_natural)i;
    digits[at] = 0;
    do {
        digits[--at] = (char)('0' + (int)(rest % 10));
        rest /= 10;
    } while (rest > 0);
    printf("%s%s", i < 0 ? "-" : "", digits + at);
}

static void mr_print(mr_value value) {
    size_t length;
    switch (value.kind) {
    case MR_UNDEFINED: fputs("undefined", stdout); break;
    case MR_TRUTH: fputs(value.as.truth ? "true" : "false", stdout); break;
    case MR_WHOLE: mr_print_whole(value.as.whole); break;
    case MR_REAL: printf("%.17g", value.as.real); break;
    case MR_TEXT: {
        char *bytes = mr_bytes(value, &length);
        putchar('"');
        for (size_t i = 0; i < length; i++) {
            unsigned char c = (unsigned char)bytes[i];
            if (c < ' ' || c == '"' || c == '\\' || c == 0x7f) {
                printf("\\x%02x", c);
            } else {
                putchar(c);
            }
        }
        putchar('"');
        break;
    }
    case MR_LIST:
        putchar('[');
        for (size_t i = 0; i < value.length; i++) {
            fputs(i > 0 ? ", " : "", stdout);
            mr_print(value.as.items[i]);
        }
        putchar(']');
        break;
    }
}
