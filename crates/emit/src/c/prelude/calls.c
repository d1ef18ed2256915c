//: mr_call mr_begin mr_ended mr_failed mr_watch mr_print_call MR_LANDED MR_NOT_MADE MR_RETURNED MR_TRAPPED MR_MALFORMED
/* A call of a function under test. */
typedef struct {
    const char *name;
    size_t argument_count;
    const mr_value *arguments;
    enum { MR_NOT_MADE, MR_BEGUN, MR_RETURNED, MR_TRAPPED, MR_MALFORMED } state;
    size_t output_count;
    mr_value outputs[8];
} mr_call;

/* Begins a call, which is made only where every argument has a value. */
static mr_call mr_begin(const char *name, size_t count, const mr_value *arguments) {
    mr_call call;
    memset(&call, 0, sizeof call);
    mr_value *kept = mr_take(count * sizeof *kept);
    call.name = name;
    call.argument_count = count;
    call.state = MR_BEGUN;
    for (size_t i = 0; i < count; i++) {
        kept[i] = arguments[i];
        if (arguments[i].kind == MR_UNDEFINED) {
            call.state = MR_NOT_MADE;
        }
    }
    call.arguments = kept;
    return call;
}

#if defined(__unix__) || defined(__APPLE__)
/* What a fault raises ends the call: it is a trap. */
static sigjmp_buf mr_landing;
static volatile sig_atomic_t mr_armed;

static void mr_land(int number) {
    if (mr_armed) {
        mr_armed = 0;
        siglongjmp(mr_landing, 1);
    }
    signal(number, SIG_DFL);
    raise(number);
}

static void mr_watch(void) {
    static const int faults[] = {SIGILL, SIGFPE, SIGSEGV, SIGBUS, SIGABRT, SIGTRAP};
    /* A stack of its own, for a fault may be that the other is full. */
    static mr_int room[1 << 13];
    stack_t stack;
    struct sigaction action;
    memset(&stack, 0, sizeof stack);
    stack.ss_sp = room;
    stack.ss_size = sizeof room;
    sigaltstack(&stack, NULL);
    memset(&action, 0, sizeof action);
    action.sa_handler = mr_land;
    action.sa_flags = SA_ONSTACK | SA_NODEFER;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        sigaction(faults[i], &action, NULL);
    }
}

#define MR_LANDED (sigsetjmp(mr_landing, 1) != 0)
#else
static int mr_armed;

static void mr_watch(void) {
}

#define MR_LANDED 0
#endif

static mr_call mr_ended(mr_call call, bool malformed) {
    mr_armed = 0;
    call.state = malformed ? MR_MALFORMED : MR_TRAPPED;
    return call;
}

static bool mr_failed(const mr_call *call) {
    return call->state == MR_TRAPPED || call->state == MR_MALFORMED;
}

static void mr_print_call(const mr_call *call) {
    printf("    %s(", call->name);
    for (size_t i = 0; i < call->argument_count; i++) {
        fputs(i > 0 ? ", " : "", stdout);
        mr_print(call->arguments[i]);
    }
    static const char *const ends[] = {" is not called", "", " gives", " traps", " gives what is not of its type"};
    printf(")%s", ends[call->state]);
    for (size_t i = 0; i < call->output_count; i++) {
        fputs(i > 0 ? ", " : " ", stdout);
        mr_print(call->outputs[i]);
    }
    putchar('\n');
}

//: mr_double
/* A float as an argument: of any NaN the same bits. */
static double mr_double(double x) {
    static const uint64_t nan = 0x7ff8000000000000u;
    if (x != x) {
        memcpy(&x, &nan, sizeof x);
    }
    return x;
}

//: mr_float
/* The same in single precision. */
static float mr_float(double x) {
    static const uint32_t nan = 0x7fc00000u;
    float single = (float)x;
    if (x != x) {
        memcpy(&single, &nan, sizeof single);
    }
    return single;
}

//: mr_give
static void mr_give(mr_call *call, mr_value output) {
    call->state = MR_RETURNED;
    call->outputs[call->output_count++] = output;
}

//: mr_returned
static bool mr_returned(const mr_call *call) {
    return call->state == MR_RETURNED;
}

//: mr_output
static mr_value mr_output(const mr_call *call, size_t index) {
    return mr_returned(call) ? call->outputs[index] : mr_undefined();
}

//: mr_traps
/* Whether it trapped; undefined where it was not made. */
static mr_value mr_traps(const mr_call *call) {
    return call->state == MR_NOT_MADE ? mr_undefined() : mr_truth(call->state == MR_TRAPPED);
}

//: mr_judge mr_verdict mr_judged mr_beyond MR_HOLDS MR_VIOLATED MR_INELIGIBLE MR_SOURCE MR_FOLLOW_UP MR_OBSERVED
typedef enum { MR_HOLDS, MR_VIOLATED, MR_INELIGIBLE } mr_verdict;

/* A call with what its failing means: other calls may fail, the relation is violated, or nothing by itself. */
typedef struct {
    enum { MR_SOURCE, MR_FOLLOW_UP, MR_OBSERVED } standing;
    const mr_call *call;
} mr_judged;

/* Set where a word met what it does not know. */
static bool mr_beyond;

/* The verdict: what is expected is true, and no follow-up call failed where the source calls returned. */
static mr_verdict mr_judge(size_t count, const mr_judged *calls, mr_value expected) {
    bool crashed = false, source_failed = false;
    for (size_t i = 0; i < count; i++) {
        crashed = crashed || (calls[i].standing == MR_FOLLOW_UP && mr_failed(calls[i].call));
        source_failed = source_failed || (calls[i].standing == MR_SOURCE && mr_failed(calls[i].call));
    }
    crashed = crashed && !source_failed;
    if (mr_beyond) {
        return MR_INELIGIBLE;
    }
    if (mr_is_true(expected) && !crashed) {
        return MR_HOLDS;
    }
    puts(crashed                           ? "a follow-up call fails where the source calls return:"
         : expected.kind == MR_UNDEFINED ? "what is expected has no value:"
                                           : "what is expected is false:");
    for (size_t i = 0; i < count; i++) {
        mr_print_call(calls[i].call);
    }
    return MR_VIOLATED;
}

//: mr_state
static uint64_t mr_state;

//: mr_random
/* SplitMix64. */
static uint64_t mr_random(void) {
    uint64_t z = mr_state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

//: mr_below
/* Less than a number that is not zero. */
static mr_natural mr_below(mr_natural count) {
    return mr_random() % count;
}

//: mr_main mr_test
typedef struct {
    const char *name;
    const char *relation;
    mr_verdict (*check)(void);
} mr_test;

/* Checks each relation on so many eligible inputs. */
static int mr_main(size_t count, const mr_test *tests, unsigned long cases, uint64_t seed) {
    mr_watch();
    for (size_t i = 0; i < count; i++) {
        unsigned long eligible = 0, drawn = 0;
        mr_state = seed + i;
        for (; eligible < cases && drawn < 100 * cases; drawn++) {
            mr_beyond = false;
            mr_verdict verdict = tests[i].check();
            mr_release();
            if (verdict == MR_VIOLATED) {
                printf("%s: VIOLATED\n    %s\n", tests[i].name, tests[i].relation);
                return 1;
            }
            eligible += verdict == MR_HOLDS;
        }
        if (eligible == 0) {
            printf("%s: none of %lu inputs was eligible\n    %s\n", tests[i].name, drawn, tests[i].relation);
            return 2;
        }
        printf("%s: ok (%lu inputs)\n", tests[i].name, eligible);
    }
    return 0;
}
