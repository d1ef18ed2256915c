/* What a caterer loads for a flight, after MEAL of the study of METRIC+ as far as it is published. The numbers are our own.

   - A model of aircraft has seats in first, business and economy class; every seat gets a meal.
   - The crew of a model is known; where it changes, the new number is ordered. Each of the crew gets a meal, a pilot gets one of another kind.
   - Children travel in economy class and get meals of their own in the place of those of their seats.
   - A flower decorates each seat in first class where the passengers have not asked for bundles, else there are as many bundles as were asked for. */
#include <stdbool.h>
#include <stdint.h>

struct model {
    int32_t first;
    int32_t business;
    int32_t economy;
    int32_t crew;
    int32_t pilots;
};

static const struct model MODELS[] = {
    {12, 52, 316, 16, 3},
    {16, 62, 297, 17, 3},
    {0, 28, 209, 9, 2},
    {8, 30, 168, 8, 2},
    {0, 0, 124, 4, 2},
};

/* Writes the meals of first class, business class, economy class, crew, pilots and children, and the flowers; their number is the result. More children
   than seats in economy class are told by a length of 0. */
int32_t meals(int32_t model, bool crew_changes, int32_t crew, int32_t children, int32_t bundles, int32_t *out, int32_t capacity) {
    struct model m = MODELS[model];
    if (capacity < 7 || children > m.economy) {
        return 0;
    }
    int32_t flowers = bundles;
    if (bundles == 0) {
        flowers = m.first;
    }
    out[0] = m.first;
    out[1] = m.business;
    out[2] = m.economy - children;
    out[3] = crew_changes ? crew : m.crew;
    out[4] = m.pilots;
    out[5] = children;
    out[6] = flowers;
    return 7;
}
