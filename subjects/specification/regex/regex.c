/* A matcher of regular expressions: it searches a text for a pattern and tells where the first match begins.

   A pattern has one or more alternatives with | between them. An alternative is a row of pieces; it may be empty, and then matches the empty text.
   A piece is an item, perhaps with one repetition sign behind it, or an anchor.

   - item: a character that has no other meaning stands for itself. . stands for any one character. \ and a character stand for that character. A class
     stands for one character. (PATTERN) stands for what the pattern between the brackets matches.
   - class: [MEMBERS] stands for one of its members, [^MEMBERS] for one character that is not among them. There is at least one member, so that a ] in the
     first place is a member. Members are read from left to right: a character, and behind it - and a character other than ] where they make a range. All
     characters of a range are members, its ends too. \ takes the meaning from the character behind it here too; nothing else has a meaning in a class.
   - repetition: * for any number of times, + for once or more, ? for once or not at all.
   - anchor: ^ matches at the beginning of the text, $ at its end, wherever they stand in the pattern.

   The first match is the one that begins leftmost and, of those that begin there, the longest one. Only its position is told, for which its length makes no
   difference: the number of characters before it; -1 where nothing matches; -2 for a pattern that is not well formed. A pattern is not well formed if

   - a repetition sign is the first of an alternative, or stands behind an anchor or another repetition sign,
   - a ( has no ), a ) has no (, or a [ has no ],
   - \ is the last character,
   - a range ends before it begins, or
   - it has more than 100 characters.

   A character is a byte. The time is at most proportional to the length of the pattern and the square of the length of the text. */
#include <stdbool.h>
#include <stddef.h>

enum { NOT_FOUND = -1, NOT_WELL_FORMED = -2 };

/* A character of a pattern needs two states at most, the whole pattern two more. */
enum { MOST_CHARACTERS = 100, MOST_STATES = 2 * MOST_CHARACTERS + 2, NO_STATE = -1 };

/* What a state waits for. A fork waits for nothing: it leads on to one state or to two. */
enum kind { FORK, CHARACTER, ANY, ONE_OF, NONE_OF, BEGINNING, END, MATCH };

struct state {
    enum kind kind;
    size_t from; /* Where its character, or the first member of its class, stands in the pattern. */
    int next;
    int other; /* The second state behind a fork. */
};

/* A pattern as a nondeterministic automaton. The search begins in the first state. */
struct automaton {
    const char *pattern;
    size_t length;
    struct state states[MOST_STATES];
    int count;
};

/* Some states with one way in and one way out, which is the `next` of the last one. */
struct part {
    int first;
    int last;
};

/* A pattern in brackets that is being read, or the whole pattern. */
struct group {
    struct part all; /* The last state is behind each of the alternatives. */
    int fork;        /* Where the current alternative begins. */
    int last;        /* The last state of the current alternative so far. */
};

/* A set of states, in the order in which they came. */
struct set {
    int states[MOST_STATES];
    int count;
    bool has[MOST_STATES];
};

static int new_state(struct automaton *a, enum kind kind, size_t from) {
    a->states[a->count] = (struct state){kind, from, NO_STATE, NO_STATE};
    return a->count++;
}

static void open_group(struct automaton *a, struct group *group) {
    int fork = new_state(a, FORK, 0);
    int end = new_state(a, FORK, 0);
    *group = (struct group){{fork, end}, fork, fork};
}

static void end_alternative(struct automaton *a, const struct group *group) {
    a->states[group->last].next = group->all.last;
}

static void begin_alternative(struct automaton *a, struct group *group) {
    int fork = new_state(a, FORK, 0);
    a->states[group->fork].other = fork;
    group->fork = fork;
    group->last = fork;
}

static void append(struct automaton *a, struct group *group, struct part part) {
    a->states[group->last].next = part.first;
    group->last = part.last;
}

static bool is_repetition(char c) {
    return c == '*' || c == '+' || c == '?';
}

static struct part repeated(struct automaton *a, struct part part, char sign) {
    int fork = new_state(a, FORK, 0);
    a->states[part.last].next = fork;
    if (sign == '?') {
        int skip = new_state(a, FORK, 0);
        a->states[skip].next = part.first;
        a->states[skip].other = fork;
        return (struct part){skip, fork};
    }
    a->states[fork].other = part.first;
    return (struct part){sign == '+' ? part.first : fork, fork};
}

/* A character of a class, which may have \ before it; `at` moves behind it. */
static unsigned char class_character(const struct automaton *a, size_t *at) {
    if (a->pattern[*at] == '\\' && *at + 1 < a->length) {
        (*at)++;
    }
    return (unsigned char)a->pattern[(*at)++];
}

/* Whether a character is among the members that begin at `at`, which moves to the ] behind them, or to the end of the pattern where the class is not well
   formed. */
static bool is_member(const struct automaton *a, size_t *at, unsigned char c) {
    bool is = false;
    size_t first = *at;
    while (*at < a->length && (*at == first || a->pattern[*at] != ']')) {
        unsigned char low = class_character(a, at);
        unsigned char high = low;
        if (*at + 1 < a->length && a->pattern[*at] == '-' && a->pattern[*at + 1] != ']') {
            (*at)++;
            high = class_character(a, at);
        }
        if (high < low) {
            *at = a->length;
        }
        is = is || (c >= low && c <= high);
    }
    return is;
}

/* Reads the item at `at`, which is no group, and moves to its last character, or to the end of the pattern where the item is not well formed. */
static struct part read_item(struct automaton *a, size_t *at) {
    char c = a->pattern[*at];
    enum kind kind = c == '.' ? ANY : CHARACTER;
    if (c == '\\' || c == '[') {
        (*at)++;
    }
    if (c == '[') {
        bool negated = *at < a->length && a->pattern[*at] == '^';
        *at += negated;
        kind = negated ? NONE_OF : ONE_OF;
    }
    int only = new_state(a, kind, *at);
    if (c == '[') {
        is_member(a, at, 0);
    }
    return (struct part){only, only};
}

/* Builds the automaton of a pattern; whether the pattern is well formed. The groups that are open are kept in a list: there is no recursion. */
static bool build(struct automaton *a) {
    struct group groups[MOST_CHARACTERS + 1];
    struct group *group = groups;
    open_group(a, group);
    for (size_t at = 0; at < a->length; at++) {
        char c = a->pattern[at];
        if (c == '(') {
            open_group(a, ++group);
        } else if (c == '|') {
            end_alternative(a, group);
            begin_alternative(a, group);
        } else if (c == '^' || c == '$') {
            int anchor = new_state(a, c == '^' ? BEGINNING : END, at);
            append(a, group, (struct part){anchor, anchor});
        } else if (is_repetition(c) || (c == ')' && group == groups)) {
            return false;
        } else {
            struct part item;
            if (c == ')') {
                end_alternative(a, group);
                item = (group--)->all;
            } else {
                item = read_item(a, &at);
            }
            if (at == a->length) {
                return false;
            }
            if (at + 1 < a->length && is_repetition(a->pattern[at + 1])) {
                item = repeated(a, item, a->pattern[++at]);
            }
            append(a, group, item);
        }
    }
    end_alternative(a, group);
    a->states[group->all.last].kind = MATCH;
    return group == groups;
}

static void add(struct set *set, int state) {
    if (state != NO_STATE && !set->has[state]) {
        set->has[state] = true;
        set->states[set->count++] = state;
    }
}

static bool takes(const struct automaton *a, const struct state *state, char c) {
    size_t at = state->from;
    switch (state->kind) {
    case CHARACTER:
        return a->pattern[at] == c;
    case ANY:
        return true;
    case ONE_OF:
    case NONE_OF:
        return is_member(a, &at, (unsigned char)c) == (state->kind == ONE_OF);
    default:
        return false;
    }
}

/* Whether a match begins at a position: goes through the text once, with all states that the automaton may be in at the same time. */
static bool matches(const struct automaton *a, const char *text, size_t length, size_t begin) {
    struct set sets[2];
    struct set *current = &sets[0];
    struct set *following = &sets[1];
    *current = (struct set){.count = 0};
    add(current, 0);
    for (size_t at = begin; current->count > 0; at++) {
        *following = (struct set){.count = 0};
        /* States that are added to the current set on the way are reached in their turn. */
        for (int i = 0; i < current->count; i++) {
            const struct state *state = &a->states[current->states[i]];
            if (state->kind == MATCH) {
                return true;
            }
            if (state->kind == FORK || (state->kind == BEGINNING && at == 0) || (state->kind == END && at == length)) {
                add(current, state->next);
                add(current, state->other);
            } else if (at < length && takes(a, state, text[at])) {
                add(following, state->next);
            }
        }
        struct set *done = current;
        current = following;
        following = done;
    }
    return false;
}

/* The position of the first match of a pattern in a text. */
int search(const char *pattern, size_t pattern_length, const char *text, size_t text_length) {
    if (pattern_length > MOST_CHARACTERS) {
        return NOT_WELL_FORMED;
    }
    struct automaton automaton;
    automaton.pattern = pattern;
    automaton.length = pattern_length;
    automaton.count = 0;
    if (!build(&automaton)) {
        return NOT_WELL_FORMED;
    }
    for (size_t begin = 0; begin <= text_length; begin++) {
        if (matches(&automaton, text, text_length, begin)) {
            return (int)begin;
        }
    }
    return NOT_FOUND;
}
