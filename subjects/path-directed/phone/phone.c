/* A month's bill of a mobile phone, by the plans that China Unicom sold with its third-generation network: plan A for
   those who use much data, plan B for those who talk much, each in four sizes. What goes beyond the minutes and the data
   of the size costs extra. */
#include <stdint.h>

#include "../here.h"

enum plan { PLAN_A = 0, PLAN_B = 1 };
enum size { SMALL = 0, MEDIUM = 1, LARGE = 2, HUGE = 3 };

/* What a size of a plan contains: the fee and the price of a further minute in fen (a hundredth of a yuan). */
struct tariff {
    int32_t fee;
    int32_t minutes;
    int32_t megabytes;
    int32_t minute_price;
};

static const int32_t MEGABYTE_PRICE = 30;

static struct tariff tariff_of_a(int32_t size) {
    struct tariff t;
    switch (size) {
    case SMALL:
        HERE; t = (struct tariff){4600, 50, 150, 25};
        break;
    case MEDIUM:
        HERE; t = (struct tariff){9600, 240, 300, 15};
        break;
    case LARGE:
        HERE; t = (struct tariff){28600, 900, 950, 15};
        break;
    default:
        HERE; t = (struct tariff){88600, 3000, 3072, 15};
        break;
    }
    return t;
}

static struct tariff tariff_of_b(int32_t size) {
    struct tariff t;
    switch (size) {
    case SMALL:
        HERE; t = (struct tariff){4600, 120, 40, 25};
        break;
    case MEDIUM:
        HERE; t = (struct tariff){9600, 450, 80, 15};
        break;
    case LARGE:
        HERE; t = (struct tariff){12600, 680, 100, 15};
        break;
    default:
        HERE; t = (struct tariff){18600, 1180, 150, 15};
        break;
    }
    return t;
}

/* The bill in fen, for whole minutes of outgoing calls and whole megabytes. */
int32_t phone_bill(int32_t plan, int32_t size, int32_t minutes, int32_t megabytes) {
    struct tariff tariff;
    if (plan == PLAN_A) {
        tariff = tariff_of_a(size);
    } else {
        tariff = tariff_of_b(size);
    }
    int32_t bill = tariff.fee;
    if (minutes > tariff.minutes) {
        bill += (minutes - tariff.minutes) * tariff.minute_price;
    }
    if (megabytes > tariff.megabytes) {
        bill += (megabytes - tariff.megabytes) * MEGABYTE_PRICE;
    }
    return bill;
}
