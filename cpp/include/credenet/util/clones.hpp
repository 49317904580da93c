#pragma once

// CREDENET_CLONES before a function compiles it for several instruction sets; the loader picks one
// at run time. It is empty under ThreadSanitizer, because the resolver would run before its
// start-up, and on other systems than x86-64 Linux.
#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
#define CREDENET_CLONES \
  __attribute__((target_clones("arch=icelake-server", "arch=x86-64-v3", "default")))
#else
#define CREDENET_CLONES
#endif
