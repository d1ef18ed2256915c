/* An income tax with brackets. All amounts are in cents. */
#include <stdbool.h>
#include <stdint.h>

/* Up to which taxable income a rate holds, in percent. */
struct bracket {
    int64_t limit;
    int rate;
};

static const struct bracket brackets[] = {
    {1000000, 0}, {2500000, 15}, {6000000, 28}, {15000000, 37}, {INT64_MAX, 42}
};

enum {
    ALLOWANCE = 120000,        /* what everybody may deduct */
    CHILD_ALLOWANCE = 400000,  /* what may be deducted for each child */
    CHILDREN = 4               /* for how many children at most */
};

/* The tax of an income from which everything is deducted, rounded down to a cent. */
static int64_t tariff(int64_t taxable) {
    int64_t hundredths = 0, from = 0;
    for (const struct bracket *b = brackets; from < taxable; from = b->limit, b++) {
        int64_t to = taxable < b->limit ? taxable : b->limit;
        hundredths += (to - from) * b->rate;
    }
    return hundredths / 100;
}

/*
 * The tax for an income of a year, or -1 if the income or the number of children is negative.
 *
 * The allowances for the tax payer and for up to four children are deducted, and what is left is rounded down to a whole 10.00. Each
 * part of it is taxed with the rate of its bracket. Of the income of a married couple, half is taxed, and the tax is doubled: each
 * of them has the allowance.
 */
int64_t income_tax(int64_t income, int children, bool married) {
    int64_t taxable;
    int persons = married ? 2 : 1;
    if (income < 0 || children < 0)
        return -1;
    if (children > CHILDREN)
        children = CHILDREN;
    taxable = income - (int64_t)children * CHILD_ALLOWANCE - (int64_t)persons * ALLOWANCE;
    if (taxable < 0)
        return 0;
    taxable = taxable / persons / 1000 * 1000;
    return persons * tariff(taxable);
}
