/* What an airline charges for baggage beyond the free allowance, by the scheme that Air China used while baggage was
   weighed rather than counted: each kilogram over the allowance costs 1.5 % of the full economy fare. */
#include <stdbool.h>
#include <stdint.h>

#include "../here.h"

enum cabin { FIRST = 0, BUSINESS = 1, ECONOMY = 2, INFANT = 3 };
enum region { DOMESTIC = 0, REGIONAL = 1, INTERNATIONAL = 2 };

static const double SHARE_OF_FARE = 0.015;

/* Kilograms that may be checked in for nothing. */
static double free_checked(int32_t cabin, int32_t region, bool student) {
    bool abroad_to_study = student && region == INTERNATIONAL;
    switch (cabin) {
    case FIRST:
        HERE; return 40.0;
    case BUSINESS:
        if (abroad_to_study) {
            HERE; return 40.0;
        }
        HERE; return 30.0;
    case ECONOMY:
        if (abroad_to_study) {
            HERE; return 30.0;
        }
        HERE; return 20.0;
    default:
        /* An infant has no seat, and on domestic flights no allowance. */
        if (region == DOMESTIC) {
            HERE; return 0.0;
        }
        HERE; return 10.0;
    }
}

/* Kilograms that may be taken on board. */
static double free_carried(int32_t cabin) {
    switch (cabin) {
    case FIRST:
        /* Two pieces. */
        HERE; return 5.0 + 5.0;
    case BUSINESS:
        HERE; return 8.0;
    case ECONOMY:
        HERE; return 5.0;
    default:
        HERE; return 0.0;
    }
}

/* The fee in yuan. Weights are in kilograms, the fare is that of economy class, one way, without a discount. */
double baggage_fee(int32_t cabin, int32_t region, bool student, double checked, double carried, double fare) {
    double on_board = free_carried(cabin);
    if (carried > on_board) {
        /* What is too heavy for the cabin goes into the hold. */
        checked += carried - on_board;
    }
    double allowance = free_checked(cabin, region, student);
    if (checked <= allowance) {
        HERE; return 0.0;
    }
    return (checked - allowance) * SHARE_OF_FARE * fare;
}
