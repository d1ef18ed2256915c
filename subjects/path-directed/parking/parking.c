/* What parking costs, after the example of METRIC (Chen, Poon, Xie 2016): hourly rates by the kind of vehicle, the day of
   the week and how long it stays; a coupon halves the fee; a driver without one may instead estimate beforehand how long
   the vehicle will stay, and pays 40 % less when that turns out right and 20 % more when it does not. */
#include <stdint.h>

#include "../here.h"

enum vehicle { MOTORCYCLE = 0, COUPE = 1, OTHER_CAR = 2 };
enum day { MONDAY = 0, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY, SUNDAY };
enum discount { NONE = 0, COUPON = 1, ESTIMATION = 2 };

/* How long: up to two hours, up to four, longer. */
enum stay { SHORT = 0, MIDDLE = 1, LONG = 2 };

static const int32_t MINUTES_OF_HOUR = 60;
static const int32_t SHORT_HOURS = 2;
static const int32_t MIDDLE_HOURS = 4;

/* Cents an hour, Monday to Friday. */
static int32_t weekday_rate(int32_t vehicle, int32_t stay) {
    switch (vehicle) {
    case MOTORCYCLE:
        if (stay == SHORT) {
            HERE; return 400;
        }
        if (stay == MIDDLE) {
            HERE; return 500;
        }
        HERE; return 600;
    case COUPE:
        if (stay == SHORT) {
            HERE; return 450;
        }
        if (stay == MIDDLE) {
            HERE; return 550;
        }
        HERE; return 650;
    default:
        if (stay == SHORT) {
            HERE; return 500;
        }
        if (stay == MIDDLE) {
            HERE; return 600;
        }
        HERE; return 700;
    }
}

/* Cents an hour on Saturdays. */
static int32_t saturday_rate(int32_t vehicle, int32_t stay) {
    switch (vehicle) {
    case MOTORCYCLE:
        if (stay == SHORT) {
            HERE; return 500;
        }
        if (stay == MIDDLE) {
            HERE; return 650;
        }
        HERE; return 800;
    case COUPE:
        if (stay == SHORT) {
            HERE; return 600;
        }
        if (stay == MIDDLE) {
            HERE; return 750;
        }
        HERE; return 900;
    default:
        if (stay == SHORT) {
            HERE; return 700;
        }
        if (stay == MIDDLE) {
            HERE; return 850;
        }
        HERE; return 1000;
    }
}

/* Cents an hour on Sundays. */
static int32_t sunday_rate(int32_t vehicle, int32_t stay) {
    switch (vehicle) {
    case MOTORCYCLE:
        if (stay == SHORT) {
            HERE; return 600;
        }
        if (stay == MIDDLE) {
            HERE; return 750;
        }
        HERE; return 900;
    case COUPE:
        if (stay == SHORT) {
            HERE; return 700;
        }
        if (stay == MIDDLE) {
            HERE; return 850;
        }
        HERE; return 1000;
    default:
        if (stay == SHORT) {
            HERE; return 800;
        }
        if (stay == MIDDLE) {
            HERE; return 950;
        }
        HERE; return 1100;
    }
}

static int32_t hourly_rate(int32_t vehicle, int32_t day, int32_t stay) {
    switch (day) {
    case SATURDAY:
        return saturday_rate(vehicle, stay);
    case SUNDAY:
        return sunday_rate(vehicle, stay);
    default:
        return weekday_rate(vehicle, stay);
    }
}

/* An hour that has begun counts. */
static int32_t hours_begun(int32_t minutes) {
    return (minutes + MINUTES_OF_HOUR - 1) / MINUTES_OF_HOUR;
}

static int32_t stay_of(int32_t hours) {
    if (hours <= SHORT_HOURS) {
        HERE; return SHORT;
    }
    if (hours <= MIDDLE_HOURS) {
        HERE; return MIDDLE;
    }
    HERE; return LONG;
}

/* The fee in cents for up to 24 hours. `estimated` is the stay that the driver named beforehand; without an estimation it
   does not matter. */
int32_t parking_fee(int32_t vehicle, int32_t day, int32_t discount, int32_t estimated, int32_t minutes) {
    int32_t hours = hours_begun(minutes);
    int32_t stay = stay_of(hours);
    int32_t fee = hours * hourly_rate(vehicle, day, stay);
    switch (discount) {
    case COUPON:
        return fee / 2;
    case ESTIMATION:
        if (estimated == stay) {
            return fee * 6 / 10;
        }
        return fee * 12 / 10;
    default:
        return fee;
    }
}
