#include "base/check.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace orrery {

void CheckFailed(const char* expression, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: check failed: %s\n", file, line, expression);
  std::fflush(stderr);
  // Not by abort alone: SpiderMonkey's library brings one of its own, and programs that are linked
  // with it would die of a write to address 0 inside that library instead.
  std::raise(SIGABRT);
  std::abort();
}

}  // namespace orrery
