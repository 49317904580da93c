#pragma once

#include <cstdio>
#include <cstdlib>

// The whole test framework: a failed check names its place and ends the program.
#define CHECK(condition)                                                           \
  do {                                                                             \
    if (!(condition)) {                                                            \
      std::fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition); \
      std::exit(1);                                                                \
    }                                                                              \
  } while (false)

#define CHECK_THROWS(expression, Exception)                                           \
  do {                                                                                \
    bool thrown = false;                                                              \
    try {                                                                             \
      (void)(expression);                                                             \
    } catch (const Exception&) {                                                      \
      thrown = true;                                                                  \
    }                                                                                 \
    if (!thrown) {                                                                    \
      std::fprintf(stderr, "%s:%d: no %s from: %s\n", __FILE__, __LINE__, #Exception, \
                   #expression);                                                      \
      std::exit(1);                                                                   \
    }                                                                                 \
  } while (false)
