// Limits of a script: of time and output in each run, of memory and caches in each sandbox.
//
// Numbers only; spidermonkey/context.h enforces them.
#pragma once

#include <chrono>
#include <cstddef>

namespace orrery::script {

// Of one Call or Run.
struct Limits {
  // Wall time by the injected clock, host functions and conversions included. Looked at when the
  // watchdog pokes (watchdog.h), so a run may go over by some hundred milliseconds.
  std::chrono::milliseconds time{5'000};
  // The size of the result: bytes of texts and blobs plus kValueBytes for every value.
  size_t result_bytes_max = size_t{4} << 20;
  // The total size of console.log; the rest is dropped and marked so.
  size_t log_bytes_max = size_t{64} << 10;
};

// Of one sandbox, over its lifetime.
struct SandboxOptions {
  // Live script memory, cached functions included. A single allocation may take half of it.
  size_t heap_bytes_max = size_t{64} << 20;
  // Native stack that scripts may use; the thread needs some more for host functions.
  size_t stack_bytes_max = size_t{512} << 10;
  size_t realms_max = 16;      // frozen realms kept, one per domain
  size_t functions_max = 256;  // compiled programs kept, over all domains
};

// Each value of a result counts as at least so many bytes, so that nulls are not free.
inline constexpr size_t kValueBytes = 16;
// Nesting of arguments and results.
inline constexpr int kValueDepthMax = 128;
// Characters of a program.
inline constexpr size_t kSourceBytesMax = size_t{1} << 20;
inline constexpr size_t kParametersMax = 255;
// Characters of a regular expression, whatever way it is made (pattern_limit.h).
inline constexpr size_t kPatternCharsMax = 4'096;
// Callbacks that host functions may have queued at any time, and that one run may be called back.
inline constexpr size_t kCallbacksPendingMax = 10'000;
inline constexpr size_t kCallbacksRunMax = 1'000'000;

}  // namespace orrery::script
