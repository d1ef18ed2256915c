/* The fee of a car park. All amounts are in cents. */
#include <stdbool.h>

enum {
    FREE_MINUTES = 15,
    HALF_HOUR = 150,
    LATER_HOUR = 200,
    DAY_LIMIT = 2000,
    DAY = 24 * 60,
    FIRST_HOURS = 3 * 60,
    LOST_TICKET = 2000
};

/* The number of whole units that contain an amount. */
static int started(int amount, int unit) {
    return (amount + unit - 1) / unit;
}

/* What a part of a day costs, without the free minutes. */
static int part_of_day(int minutes) {
    int fee;
    if (minutes <= FIRST_HOURS)
        fee = started(minutes, 30) * HALF_HOUR;
    else
        fee = started(FIRST_HOURS, 30) * HALF_HOUR + started(minutes - FIRST_HOURS, 60) * LATER_HOUR;
    return fee < DAY_LIMIT ? fee : DAY_LIMIT;
}

/*
 * The fee for a stay of so many minutes, or -1 if their number is negative.
 *
 * A stay of up to 15 minutes is free. A longer one is paid from its first minute: 1.50 for each started half hour of the first
 * three hours, 2.00 for each started hour after that, and 20.00 at most for each 24 hours, after which the tariff begins anew.
 * At the weekend the fee is halved and rounded down to 10 cents; then residents have 20 % off, rounded down to a cent.
 * Whoever lost the ticket pays at least 20.00, and has nothing off.
 */
int parking_fee(int minutes, bool weekend, bool resident, bool lost_ticket) {
    int fee;
    if (minutes < 0)
        return -1;
    if (minutes <= FREE_MINUTES)
        fee = 0;
    else
        fee = minutes / DAY * DAY_LIMIT + part_of_day(minutes % DAY);
    if (lost_ticket)
        return fee > LOST_TICKET ? fee : LOST_TICKET;
    if (weekend)
        fee = fee / 2 / 10 * 10;
    if (resident)
        fee = fee * 8 / 10;
    return fee;
}
