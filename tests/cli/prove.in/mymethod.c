int myMethod(int x, int y) {
    int z = x + y;
    if (z == 0) {
        if (y > 0) {
            z = y * x; }
        else { __asm__("nop");
            z = x * y; } }

    else { __asm__("nop");
        if (x > 0) {
            z = z * x; }
        else { __asm__("nop");
            z = z + x; } }


    return z; }

/* The example of section 3.2 of Sun et al., "Path-directed source test case generation and prioritization in metamorphic
   testing" (2021), line by line: the lines of the debug information are those of the paper's listing. Its Table 2 has an
   `else` among the executed lines of the arm behind it, and no closing brace; hence the nops, and the braces where they
   are. Without the nops the two products would become one, too, and there would be three paths. */
