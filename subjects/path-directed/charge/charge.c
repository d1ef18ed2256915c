/* The fee of a transfer of money from one account to another or to a bank card, after the rules of Alipay: who may send how
   much to whom in which way, and what it costs. Amounts are in fen, a hundredth of a yuan. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../here.h"

/* How the money arrives. */
enum way {
    BY_APP = 0,        /* in the receiver's account, ordered on the phone */
    BY_WEB = 1,        /* in the receiver's account, ordered in a browser */
    CARD_NEXT_DAY = 2, /* on the receiver's bank card, the day after */
    CARD_AT_ONCE = 3,  /* on the receiver's bank card, within two hours */
};

/* Why nothing is transferred. */
enum refusal {
    UNKNOWN_RECEIVER = -1,
    WRONG_HOLDER = -2,
    OWN_ACCOUNT = -3,
    FROZEN_RECEIVER = -4,
    NOTHING_TO_SEND = -5,
    OVER_THE_LIMIT = -6,
    NOT_ON_THIS_WAY = -7,
    BALANCE_TOO_LOW = -8,
};

enum kind { VERIFIED, UNVERIFIED, MERCHANT };

/* An account as the service knows it. */
struct account {
    int32_t id;
    const char *holder;
    size_t holder_length;
    enum kind kind;
    bool frozen;
};

/* What the sender asks for. */
struct order {
    int32_t sender;
    int32_t balance;
    int32_t free_left;
    int32_t receiver;
    const char *holder;
    size_t holder_length;
    int32_t amount;
    int32_t way;
};

static const int32_t LIMIT_BY_APP = 5000000;
static const int32_t LIMIT_BY_WEB = 2000000;
static const int32_t LIMIT_TO_CARD = 5000000;
static const int32_t LIMIT_TO_UNVERIFIED = 100000;

/* The accounts that money can be sent to; false for an id that there is none of. */
static bool look_up(int32_t id, struct account *found) {
    switch (id) {
    case 1001:
        HERE; *found = (struct account){id, "Li", 2, VERIFIED, false};
        return true;
    case 1002:
        HERE; *found = (struct account){id, "Wang", 4, UNVERIFIED, false};
        return true;
    case 1003:
        HERE; *found = (struct account){id, "Li", 2, MERCHANT, false};
        return true;
    case 1004:
        HERE; *found = (struct account){id, "Wang", 4, VERIFIED, true};
        return true;
    case 1005:
        HERE; *found = (struct account){id, "Wang", 4, VERIFIED, false};
        return true;
    default:
        HERE; return false;
    }
}

/* Whether the sender has named the holder. All characters are looked at, so that the time tells nothing of the name. */
static bool is_holder(const struct account *account, const char *holder, size_t length) {
    if (length != account->holder_length) {
        HERE; return false;
    }
    int32_t difference = 0;
    for (size_t i = 0; i < length; i++) {
        difference |= holder[i] ^ account->holder[i];
    }
    return difference == 0;
}

/* 0 where the money may go to the receiver. */
static int32_t check_parties(const struct order *order, struct account *receiver) {
    if (!look_up(order->receiver, receiver)) {
        HERE; return UNKNOWN_RECEIVER;
    }
    if (order->receiver == order->sender) {
        HERE; return OWN_ACCOUNT;
    }
    if (!is_holder(receiver, order->holder, order->holder_length)) {
        HERE; return WRONG_HOLDER;
    }
    if (receiver->frozen) {
        HERE; return FROZEN_RECEIVER;
    }
    HERE; return 0;
}

static int32_t limit_of(int32_t way) {
    switch (way) {
    case BY_APP:
        HERE; return LIMIT_BY_APP;
    case BY_WEB:
        HERE; return LIMIT_BY_WEB;
    default:
        HERE; return LIMIT_TO_CARD;
    }
}

static bool goes_to_card(int32_t way) {
    return way == CARD_NEXT_DAY || way == CARD_AT_ONCE;
}

/* 0 where the amount may be sent in this way. */
static int32_t check_amount(const struct order *order, const struct account *receiver) {
    if (order->amount <= 0) {
        HERE; return NOTHING_TO_SEND;
    }
    if (order->amount > limit_of(order->way)) {
        HERE; return OVER_THE_LIMIT;
    }
    if (receiver->kind == UNVERIFIED && order->amount > LIMIT_TO_UNVERIFIED) {
        HERE; return OVER_THE_LIMIT;
    }
    if (receiver->kind == MERCHANT && goes_to_card(order->way)) {
        HERE; return NOT_ON_THIS_WAY;
    }
    HERE; return 0;
}

/* So many thousandths of an amount, rounded to the nearest fen, a half up. */
static int32_t thousandths(int32_t amount, int32_t share) {
    return (amount * share + 500) / 1000;
}

static int32_t at_least(int32_t fee, int32_t least) {
    if (fee < least) {
        return least;
    }
    return fee;
}

static int32_t at_most(int32_t fee, int32_t most) {
    if (fee > most) {
        return most;
    }
    return fee;
}

/* A tenth of a per cent, from half a yuan to ten; merchants pay for themselves. */
static int32_t fee_by_web(const struct order *order, const struct account *receiver) {
    if (receiver->kind == MERCHANT) {
        HERE; return 0;
    }
    return at_most(at_least(thousandths(order->amount, 1), 50), 1000);
}

/* A tenth of a per cent of what exceeds the amount that everybody may take out for nothing; at least ten fen. */
static int32_t fee_next_day(const struct order *order) {
    if (order->amount <= order->free_left) {
        HERE; return 0;
    }
    return at_least(thousandths(order->amount - order->free_left, 1), 10);
}

/* A fifth of a per cent, from two yuan to twenty-five. */
static int32_t fee_at_once(const struct order *order) {
    return at_most(at_least(thousandths(order->amount, 2), 200), 2500);
}

static int32_t fee_of(const struct order *order, const struct account *receiver) {
    switch (order->way) {
    case BY_APP:
        HERE; return 0;
    case BY_WEB:
        return fee_by_web(order, receiver);
    case CARD_NEXT_DAY:
        return fee_next_day(order);
    default:
        return fee_at_once(order);
    }
}

static int32_t charge(const struct order *order) {
    struct account receiver;
    int32_t refused = check_parties(order, &receiver);
    if (refused != 0) {
        return refused;
    }
    refused = check_amount(order, &receiver);
    if (refused != 0) {
        return refused;
    }
    int32_t fee = fee_of(order, &receiver);
    if (order->amount + fee > order->balance) {
        HERE; return BALANCE_TOO_LOW;
    }
    return fee;
}

/* The fee, or below 0 why the transfer is refused. `free_left` is what the sender may still take out for nothing. */
int32_t transfer_fee(int32_t sender, int32_t balance, int32_t free_left, int32_t receiver, const char *holder,
                     size_t holder_length, int32_t amount, int32_t way) {
    struct order order = {sender, balance, free_left, receiver, holder, holder_length, amount, way};
    return charge(&order);
}
