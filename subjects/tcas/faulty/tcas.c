/* tcas.c with a fault: the intent of the other aircraft counts as unknown where it is reported *or* absent
   (`||` for `&&`), so an advisory is given against an announced manoeuvre. */
#include <stdbool.h>
#include <stdint.h>

enum advisory { UNRESOLVED = 0, UPWARD = 1, DOWNWARD = 2 };
enum intent { NO_INTENT = 0, DO_NOT_CLIMB = 1, DO_NOT_DESCEND = 2 };

/* Altitudes and separations are in feet, the rate in feet a minute. */
static const int32_t MAX_CLIMB_RATE = 600;
static const int32_t MAX_SEPARATION = 600;
static const int32_t MIN_SEPARATION = 300;
static const int32_t CROSSING_BIAS = 100;

/* What the own aircraft knows of the encounter. */
struct encounter {
    int32_t separation;
    bool confident;
    bool reported;
    int32_t own;
    int32_t rate;
    int32_t other;
    int32_t layer;
    int32_t up;
    int32_t down;
    int32_t intent;
    bool equipped;
    bool inhibited;
};

/* The positive advisory altitude limit: the vertical miss that is enough, by altitude layer. */
static int32_t limit(const struct encounter *e) {
    switch (e->layer) {
    case 0:
        return 400;
    case 1:
        return 500;
    case 2:
        return 640;
    default:
        return 740;
    }
}

static bool own_below(const struct encounter *e) {
    return e->own < e->other;
}

static bool own_above(const struct encounter *e) {
    return e->other < e->own;
}

/* A crossing is biased against where the climb is inhibited. */
static bool upward_preferred(const struct encounter *e) {
    int32_t up = e->inhibited ? e->up + CROSSING_BIAS : e->up;
    return up > e->down;
}

static bool non_crossing_climb(const struct encounter *e) {
    if (upward_preferred(e)) {
        return !own_below(e) || e->down < limit(e);
    }
    return own_above(e) && e->separation >= MIN_SEPARATION && e->up >= limit(e);
}

static bool non_crossing_descent(const struct encounter *e) {
    if (upward_preferred(e)) {
        return own_below(e) && e->separation >= MIN_SEPARATION && e->down >= limit(e);
    }
    return !own_above(e) || e->up >= limit(e);
}

/* Whether an advisory may be given at all: the track is good, and the threat is not coordinated with already. */
static bool enabled(const struct encounter *e) {
    bool tracked = e->confident && e->rate <= MAX_CLIMB_RATE && e->separation > MAX_SEPARATION;
    bool intent_unknown = e->reported || e->intent == NO_INTENT;
    return tracked && (!e->equipped || intent_unknown);
}

static int32_t resolve(const struct encounter *e) {
    bool up = non_crossing_climb(e) && own_below(e);
    bool down = non_crossing_descent(e) && own_above(e);
    if (up == down) {
        return UNRESOLVED;
    }
    return up ? UPWARD : DOWNWARD;
}

int32_t advise(int32_t separation, bool confident, bool reported, int32_t own, int32_t rate, int32_t other,
               int32_t layer, int32_t up, int32_t down, int32_t intent, bool equipped, bool inhibited) {
    struct encounter e = {separation, confident, reported, own,    rate,     other,
                          layer,      up,        down,     intent, equipped, inhibited};
    return enabled(&e) ? resolve(&e) : UNRESOLVED;
}
