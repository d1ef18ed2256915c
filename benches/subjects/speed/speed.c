// A sequence by pointer and length, read once: what the call itself costs shows.
double mean(const int *xs, unsigned count) {
    long long sum = 0;
    for (unsigned i = 0; i < count; i++)
        sum += xs[i];
    return (double)sum / count;
}
