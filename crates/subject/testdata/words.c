int copy(int in, int out) { return in + out; }
int mod(int a, int b) { return b ? a % b : 0; }
