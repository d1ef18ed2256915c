/* What a company pays back to its sales staff for a month, after EXPENSE of the study of METRIC+ as far as it is published. The amounts
   are our own.

   - Each level of staff may drive so many kilometres on the company's account; every kilometre beyond is charged to the person.
   - A flight is paid back to senior managers and managers, and to supervisors who have sold goods for at least 80,000.
   - Other expenses are paid back to everybody who has sold goods for at least 100,000. */
#include <stdint.h>

enum level { SENIOR_MANAGER = 0, MANAGER = 1, SUPERVISOR = 2 };

static const int64_t SALES_FOR_FLIGHTS = 80000;
static const int64_t SALES_FOR_EXPENSES = 100000;

static int64_t free_kilometres(int32_t level) {
    switch (level) {
    case SENIOR_MANAGER:
        return 4000;
    case MANAGER:
        return 3000;
    default:
        return 2000;
    }
}

static int64_t price_of_a_kilometre(int32_t level) {
    switch (level) {
    case SENIOR_MANAGER:
        return 5;
    case MANAGER:
        return 8;
    default:
        return 10;
    }
}

/* The amount that is paid back; negative where the person has to pay. */
int64_t reimbursement(int32_t level, int32_t kilometres, int32_t sales, int32_t airfare, int32_t other) {
    int64_t amount = 0;
    if (kilometres > free_kilometres(level)) {
        amount -= (kilometres - free_kilometres(level)) * price_of_a_kilometre(level);
    }
    if (level != SUPERVISOR || sales >= SALES_FOR_FLIGHTS) {
        amount += airfare;
    }
    if (sales >= SALES_FOR_EXPENSES) {
        amount += other;
    }
    return amount;
}
