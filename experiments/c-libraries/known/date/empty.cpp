// The library is headers alone, which end in .h: this file says that they are C++.
