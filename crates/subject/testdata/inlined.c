/* clang --target=wasm32-wasi -O1 -g -fdebug-compilation-dir=/src/testdata -nostdlib -Wl,--no-entry -Wl,--export=spread -Wl,--export=count inlined.c -o inlined.wasm */
static int clamp(int value, int most) {
    if (value > most) {
        return most - (value & 7);
    }
    return value * 3;
}

static int both(int left, int right) {
    return clamp(left, 10) ^ clamp(right, 20);
}

int spread(int a, int b) {
    int first = both(a, b);
    int second = both(b - a, a);
    return first / (second | 1);
}

int count(const int *xs, int n) {
    int found = 0;
    for (int i = 0; i < n; i++) {
        int x = xs[i];
        if (x > 5) {
            found += x;
        }
    }
    int half = found / 2;
    return half * half;
}
