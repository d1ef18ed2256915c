// clang --target=wasm32-wasi -O1 -g -mexec-model=reactor -Wl,--no-entry -Wl,--export=area -Wl,--export=mean
// -Wl,--strip-debug is not passed: the debug information is what is tested.
int area(int width, unsigned height) {
    if (width < 0)
        return -1;
    return width * (int)height;
}

double mean(const double *xs, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += xs[i];
    return sum / count;
}
