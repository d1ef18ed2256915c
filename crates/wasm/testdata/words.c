/* clang --target=wasm32-wasi -O1 words.c -Wl,--strip-debug -o words.wasm
   A small lexer: counts words, numbers and other marks on standard input. */
#include <ctype.h>
#include <stdio.h>

int main(void) {
  int words = 0, numbers = 0, marks = 0, c = getchar();
  while (c != EOF) {
    if (isalpha(c)) {
      words++;
      while (isalnum(c)) c = getchar();
    } else if (isdigit(c)) {
      numbers++;
      while (isdigit(c)) c = getchar();
    } else {
      if (!isspace(c)) marks++;
      c = getchar();
    }
  }
  printf("%d words\n%d numbers\n%d marks\n", words, numbers, marks);
  return 0;
}
