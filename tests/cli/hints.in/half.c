int half(int x) { return x / 2; }
static int hidden(int x) { return x; }
int uses(int x) { return hidden(x); }
