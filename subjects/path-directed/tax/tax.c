/* The sales taxes on a receipt: basic sales tax, import duty, and what is special to clothing, luxury goods and alcohol.
   Money is in cents. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../here.h"

enum kind { OTHER = 0, BOOK = 1, FOOD = 2, MEDICINE = 3, CLOTHING = 4, LUXURY = 5, ALCOHOL = 6 };

static const int32_t BASIC_PER_CENT = 10;
static const int32_t DUTY_PER_CENT = 5;
static const int32_t SURCHARGE_PER_CENT = 8;
static const int32_t EXCISE = 200;

/* Clothing is taxed from this price on. */
static const int32_t CLOTHING_FROM = 11000;
/* What a luxury costs beyond this bears the surcharge. */
static const int32_t LUXURY_BEYOND = 20000;

/* A line of the receipt. */
struct line {
    int32_t quantity;
    int32_t price;
    int32_t kind;
    bool imported;
};

/* So many per cent of a price, rounded up to the next five cents. */
static int32_t share(int32_t price, int32_t per_cent) {
    return (price * per_cent + 499) / 500 * 5;
}

/* Whether the basic tax is on it. */
static bool is_taxed(const struct line *line) {
    switch (line->kind) {
    case BOOK:
        HERE; return false;
    case FOOD:
        HERE; return false;
    case MEDICINE:
        HERE; return false;
    case CLOTHING:
        return line->price >= CLOTHING_FROM;
    default:
        HERE; return true;
    }
}

/* Basic tax and duty are one rate: the sum is rounded, not each. */
static int32_t rate_of(const struct line *line) {
    int32_t per_cent = 0;
    if (is_taxed(line)) {
        per_cent += BASIC_PER_CENT;
    }
    if (line->imported) {
        per_cent += DUTY_PER_CENT;
    }
    return per_cent;
}

/* What comes on top of the rate. */
static int32_t special_tax(const struct line *line) {
    switch (line->kind) {
    case LUXURY:
        if (line->price > LUXURY_BEYOND) {
            return share(line->price - LUXURY_BEYOND, SURCHARGE_PER_CENT);
        }
        HERE; return 0;
    case ALCOHOL:
        if (line->imported) {
            return 2 * EXCISE;
        }
        HERE; return EXCISE;
    default:
        HERE; return 0;
    }
}

static int32_t tax_of_unit(const struct line *line) {
    int32_t tax = special_tax(line);
    int32_t rate = rate_of(line);
    if (rate > 0) {
        tax += share(line->price, rate);
    }
    return tax;
}

static int32_t tax_of_line(const struct line *line) {
    if (line->quantity == 0) {
        HERE; return 0;
    }
    return line->quantity * tax_of_unit(line);
}

/* The total of the taxes on goods of these quantities, prices a unit and kinds. An exempt customer, such as a charity, pays
   none. */
int32_t sales_tax(const int32_t *quantities, const int32_t *prices, const int32_t *kinds, const bool *imported,
                  size_t lines, bool exempt) {
    if (exempt) {
        HERE; return 0;
    }
    int32_t total = 0;
    for (size_t i = 0; i < lines; i++) {
        struct line line = {quantities[i], prices[i], kinds[i], imported[i]};
        total += tax_of_line(&line);
    }
    return total;
}
