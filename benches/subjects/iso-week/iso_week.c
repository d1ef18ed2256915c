/* The ISO 8601 week of a date that is moved by some days, as year * 100 + week; negative for what is no date. One function
   of about 100 lines without a call: what mutation analysis of an ordinary function costs. */
#include <stdint.h>

int32_t iso_week(int32_t year, int32_t month, int32_t day, int32_t shift) {
    if (year < 1 || year > 9999) {
        return -1;
    }
    if (month < 1 || month > 12) {
        return -2;
    }
    int32_t leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    int32_t length;
    switch (month) {
    case 2:
        length = 28 + leap;
        break;
    case 4:
    case 6:
    case 9:
    case 11:
        length = 30;
        break;
    default:
        length = 31;
        break;
    }
    if (day < 1 || day > length) {
        return -3;
    }

    /* Move day by day where that stays in the month, else month by month. */
    day += shift;
    while (day > length) {
        day -= length;
        month++;
        if (month > 12) {
            month = 1;
            year++;
            if (year > 9999) {
                return -4;
            }
            leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
        }
        if (month == 2) {
            length = 28 + leap;
        } else if (month == 4 || month == 6 || month == 9 || month == 11) {
            length = 30;
        } else {
            length = 31;
        }
    }
    while (day < 1) {
        month--;
        if (month < 1) {
            month = 12;
            year--;
            if (year < 1) {
                return -5;
            }
            leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
        }
        if (month == 2) {
            length = 28 + leap;
        } else if (month == 4 || month == 6 || month == 9 || month == 11) {
            length = 30;
        } else {
            length = 31;
        }
        day += length;
    }

    /* The day of the year, from 1. */
    int32_t ordinal = day + (month - 1) * 31;
    if (month > 2) {
        ordinal -= (4 * month + 23) / 10;
        ordinal += leap;
    }

    /* The day of the week, 1 for Monday, and that of the first of January. */
    int32_t before = year - 1;
    int32_t first = (1 + 5 * (before % 4) + 4 * (before % 100) + 6 * (before % 400)) % 7;
    int32_t weekday = (first + ordinal + 5) % 7 + 1;

    /* Weeks belong to the year of their Thursday. */
    int32_t week = (ordinal - weekday + 10) / 7;
    if (week < 1) {
        year--;
        int32_t past_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
        int32_t past_first = (first + 6 - past_leap) % 7;
        week = past_first == 4 || (past_leap && past_first == 3) ? 53 : 52;
    } else if (week == 53) {
        int32_t has_53 = first == 4 || (leap && first == 3);
        if (!has_53) {
            year++;
            week = 1;
        }
    }
    return year * 100 + week;
}
