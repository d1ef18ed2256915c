/* HERE keeps the line that it stands on. An arm that only yields a constant has no instruction of its own once the module is
   optimised, and so no line in its debug information; with a nop it has, and counts as a statement. The study, too, told
   paths by statements of its own at the start of branches (section 3.2.2). The number keeps two of them from being taken
   for one. */
#define HERE HERE_AT(__LINE__)
#define HERE_AT(line) HERE_OF(line)
#define HERE_OF(line) __asm__("nop # " #line)
