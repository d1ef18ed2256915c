/* With the fault that print_tokens2 of the Siemens suite had for years, found by metamorphic testing: where a string ends it is not asked whether a quotation mark
   ends it, so that a string without an end takes the line break, or what lies behind the text, as its last character.

   A lexical analyser of a small language, as the programs print_tokens of the Siemens suite are: it reads a text and writes a line for each token,
   KIND,"TEXT". with a line break behind it.

   - keyword: and, or, if, lambda, xor
   - special: ( ) [ ] ' ` ,  and => (each with a kind of its own: lparen, rparen, lsquare, rsquare, quote, bquote, comma, arrow)
   - identifier: a letter, then letters and digits
   - numeric: digits
   - string: from a quotation mark to the next one on the same line
   - character: # and one character
   - comment: from ; to the end of the line
   - error: everything else, up to the next space or special character; so is a string that has no second quotation mark on its line. */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct output {
    char *bytes;
    size_t length;
    size_t capacity;
};

static void put(struct output *out, const char *bytes, size_t length) {
    for (size_t i = 0; i < length && out->length < out->capacity; i++) {
        out->bytes[out->length++] = bytes[i];
    }
}

static void put_token(struct output *out, const char *kind, const char *text, size_t length) {
    put(out, kind, strlen(kind));
    put(out, ",\"", 2);
    put(out, text, length);
    put(out, "\".\n", 3);
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n';
}

static const char *special(char c) {
    switch (c) {
    case '(':
        return "lparen";
    case ')':
        return "rparen";
    case '[':
        return "lsquare";
    case ']':
        return "rsquare";
    case '\'':
        return "quote";
    case '`':
        return "bquote";
    case ',':
        return "comma";
    default:
        return NULL;
    }
}

static bool is_end(char c) {
    return is_space(c) || special(c) != NULL || c == '"' || c == ';' || c == '=';
}

static bool is_word(const char *word, const char *text, size_t length) {
    return strlen(word) == length && memcmp(word, text, length) == 0;
}

static bool is_keyword(const char *text, size_t length) {
    return is_word("and", text, length) || is_word("or", text, length) || is_word("if", text, length) ||
           is_word("lambda", text, length) || is_word("xor", text, length);
}

/* The kind of a token that is neither a string nor a comment nor special. */
static const char *kind_of(const char *text, size_t length) {
    if (is_keyword(text, length)) {
        return "keyword";
    }
    if (text[0] == '#' && length == 2) {
        return "character";
    }
    bool letters = is_letter(text[0]);
    bool digits = true;
    for (size_t i = 0; i < length; i++) {
        letters = letters && (is_letter(text[i]) || is_digit(text[i]));
        digits = digits && is_digit(text[i]);
    }
    if (digits) {
        return "numeric";
    }
    return letters ? "identifier" : "error";
}

/* A token that begins with a quotation mark; where it ends. */
static size_t string_token(const char *text, size_t at, size_t length, struct output *out) {
    size_t end = at + 1;
    while (end < length && text[end] != '"' && text[end] != '\n') {
        end++;
    }
    char ch = end < length ? text[end] : '\n';
    int id = 1;
    if (id == 1) {
        /* What lies behind the text is not read: the text ends there. */
        size_t last = end < length ? end + 1 : length;
        put_token(out, "string", text + at, last - at);
        return last;
    }
    put_token(out, "error", text + at, end - at);
    return end;
}

/* Writes the tokens of a text; the number of bytes. What does not fit is left out. */
int tokens(const char *text, size_t length, char *bytes, size_t capacity) {
    struct output out = {bytes, 0, capacity};
    size_t at = 0;
    while (at < length) {
        char c = text[at];
        size_t end = at + 1;
        if (is_space(c)) {
            at++;
        } else if (c == ';') {
            while (end < length && text[end] != '\n') {
                end++;
            }
            put_token(&out, "comment", text + at, end - at);
            at = end;
        } else if (c == '"') {
            at = string_token(text, at, length, &out);
        } else if (c == '=' && end < length && text[end] == '>') {
            put_token(&out, "arrow", text + at, 2);
            at += 2;
        } else if (special(c) != NULL) {
            put_token(&out, special(c), text + at, 1);
            at++;
        } else {
            while (end < length && !is_end(text[end])) {
                end++;
            }
            put_token(&out, kind_of(text + at, end - at), text + at, end - at);
            at = end;
        }
    }
    return (int)out.length;
}
