/* A lexer as a command: reads a program on standard input and prints one token a line, KIND TEXT LINE:COLUMN.
   A character that starts no token, or a string without an end, is told on standard error; the exit code is 1 then.
   This is tokens.c with a fault: a token is printed only when something follows it, so the last one is lost
   where the input ends without a newline. */
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Bytes that grow; the whole output is gathered here and written once. */
struct buffer {
    char *bytes;
    size_t length;
    size_t capacity;
};

struct lexer {
    const char *at;
    const char *end;
    size_t line;
    size_t column;
    struct buffer out;
};

static void reserve(struct buffer *b, size_t more) {
    if (b->capacity - b->length >= more) {
        return;
    }
    size_t capacity = 2 * b->capacity + more;
    if (capacity < 4096) {
        capacity = 4096;
    }
    b->bytes = realloc(b->bytes, capacity);
    if (b->bytes == NULL) {
        abort();
    }
    b->capacity = capacity;
}

static void append(struct buffer *b, const char *bytes, size_t length) {
    reserve(b, length);
    memcpy(b->bytes + b->length, bytes, length);
    b->length += length;
}

static void append_char(struct buffer *b, char c) {
    reserve(b, 1);
    b->bytes[b->length++] = c;
}

static void append_number(struct buffer *b, size_t number) {
    if (number < 10) {
        append_char(b, (char)('0' + number));
        return;
    }
    char digits[20];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    append(b, digits + at, sizeof digits - at);
}

static void append_position(struct buffer *b, size_t line, size_t column) {
    append_number(b, line);
    append_char(b, ':');
    append_number(b, column);
}

static void write_all(int file, const struct buffer *b) {
    size_t done = 0;
    while (done < b->length) {
        ssize_t count = write(file, b->bytes + done, b->length - done);
        if (count <= 0) {
            _exit(2);
        }
        done += (size_t)count;
    }
}

static struct buffer read_all(int file) {
    struct buffer b = {NULL, 0, 0};
    for (;;) {
        reserve(&b, 4096);
        ssize_t count = read(file, b.bytes + b.length, b.capacity - b.length);
        if (count < 0) {
            _exit(2);
        }
        if (count == 0) {
            return b;
        }
        b.length += (size_t)count;
    }
}

static bool is_digit(char c) {
    return '0' <= c && c <= '9';
}

static bool is_letter(char c) {
    return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || c == '_';
}

/* Steps over one byte; a byte that continues a UTF-8 character takes no column. */
static void step(struct lexer *l) {
    unsigned char c = (unsigned char)*l->at++;
    if (c == '\n') {
        l->line++;
        l->column = 1;
    } else if ((c & 0xC0) != 0x80) {
        l->column++;
    }
}

static bool looking_at(const struct lexer *l, char c) {
    return l->at < l->end && *l->at == c;
}

static void skip_blanks(struct lexer *l) {
    while (l->at < l->end) {
        if (*l->at == '#') {
            while (l->at < l->end && *l->at != '\n') {
                step(l);
            }
        } else if (*l->at == ' ' || *l->at == '\t' || *l->at == '\r' || *l->at == '\n') {
            step(l);
        } else {
            return;
        }
    }
}

static void word(struct lexer *l) {
    while (l->at < l->end && (is_letter(*l->at) || is_digit(*l->at))) {
        step(l);
    }
}

static void digits(struct lexer *l) {
    while (l->at < l->end && is_digit(*l->at)) {
        step(l);
    }
}

/* Digits, and a fraction where digits follow the point: `1.` is a number and a point. */
static void number(struct lexer *l) {
    digits(l);
    if (l->end - l->at >= 2 && l->at[0] == '.' && is_digit(l->at[1])) {
        step(l);
        digits(l);
    }
}

/* A string stays on its line; a backslash takes the next character with it. */
static bool string(struct lexer *l) {
    step(l);
    while (l->at < l->end && *l->at != '\n') {
        char c = *l->at;
        step(l);
        if (c == '"') {
            return true;
        }
        if (c == '\\' && l->at < l->end && *l->at != '\n') {
            step(l);
        }
    }
    return false;
}

/* One or two characters: the second is `=` after a comparison or `!`, or doubles `&` or `|`. */
static void operator(struct lexer *l) {
    char c = *l->at;
    step(l);
    if ((c == '=' || c == '<' || c == '>' || c == '!') && looking_at(l, '=')) {
        step(l);
    } else if ((c == '&' || c == '|') && looking_at(l, c)) {
        step(l);
    }
}

static bool is_operator(char c) {
    switch (c) {
    case '+': case '-': case '*': case '/': case '%': case '=': case '<': case '>': case '!': case '&': case '|': case '.':
        return true;
    default:
        return false;
    }
}

static bool is_punctuation(char c) {
    switch (c) {
    case '(': case ')': case '{': case '}': case '[': case ']': case ',': case ';': case ':':
        return true;
    default:
        return false;
    }
}

static const char *word_kind(const char *text, size_t length) {
    static const char *const keywords[] = {"else", "fn", "if", "let", "return", "while"};
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
        const char *keyword = keywords[i];
        if (*keyword == *text && strlen(keyword) == length && memcmp(keyword, text, length) == 0) {
            return "KEYWORD";
        }
    }
    return "NAME";
}

/* Steps over a token and tells its kind, NULL where none starts (or a string has no end). */
static const char *token(struct lexer *l) {
    const char *start = l->at;
    if (is_letter(*start)) {
        word(l);
        return word_kind(start, (size_t)(l->at - start));
    }
    if (is_digit(*start)) {
        number(l);
        return "NUMBER";
    }
    if (*start == '"') {
        return string(l) ? "STRING" : NULL;
    }
    if (is_operator(*start)) {
        operator(l);
        return "OPERATOR";
    }
    if (is_punctuation(*start)) {
        step(l);
        return "PUNCTUATION";
    }
    return NULL;
}

static void print_token(struct buffer *out, const char *kind, const char *text, size_t length, size_t line,
                        size_t column) {
    append(out, kind, strlen(kind));
    append_char(out, ' ');
    append(out, text, length);
    append_char(out, ' ');
    append_position(out, line, column);
    append_char(out, '\n');
}

static void complain(size_t line, size_t column, bool in_string) {
    struct buffer message = {NULL, 0, 0};
    append_position(&message, line, column);
    const char *what = in_string ? ": string without an end\n" : ": unexpected character\n";
    append(&message, what, strlen(what));
    write_all(STDERR_FILENO, &message);
}

/* Tokens up to the end or the first that is none; the exit code. */
static int lex(struct lexer *l) {
    for (;;) {
        skip_blanks(l);
        if (l->at == l->end) {
            return 0;
        }
        const char *start = l->at;
        size_t line = l->line;
        size_t column = l->column;
        const char *kind = token(l);
        if (kind == NULL) {
            complain(line, column, *start == '"');
            return 1;
        }
        if (l->at == l->end) {
            return 0;
        }
        print_token(&l->out, kind, start, (size_t)(l->at - start), line, column);
    }
}

int main(void) {
    struct buffer in = read_all(STDIN_FILENO);
    struct lexer l = {in.bytes, in.bytes + in.length, 1, 1, {NULL, 0, 0}};
    int code = lex(&l);
    write_all(STDOUT_FILENO, &l.out);
    return code;
}
