// ORRERY_CHECK states what the programmer believes; it stays on in release builds and ends the
// process when wrong. Bytes from a client or a disk are never checked by it: they give an Error.
#pragma once

namespace orrery {
[[noreturn]] void CheckFailed(const char* expression, const char* file, int line);
}  // namespace orrery

#define ORRERY_CHECK(condition)                              \
  do {                                                       \
    if (!(condition)) [[unlikely]] {                         \
      ::orrery::CheckFailed(#condition, __FILE__, __LINE__); \
    }                                                        \
  } while (false)
