// Bounds the single allocations that SpiderMonkey makes on this thread.
//
// The library counts what scripts allocate and can be asked, but only between bytecodes: one
// native operation (flattening a rope of 2^29 characters, filling a typed array) takes gigabytes
// and seconds before anybody looks. Its allocator is fixed when it is built, and Debian's build
// takes memory with plain malloc, calloc and realloc. So the three entries for them in the shared
// library's own import table are pointed at functions here, which refuse what is over the calling
// thread's cap and pass on everything else. Nothing but the library is affected, whatever
// allocator the process uses. A refused allocation is an ordinary out-of-memory error in the
// script. Only large ones are refused: the library treats the failure of some small ones as fatal.
#pragma once

#include <cstddef>

#include "base/status.h"

namespace orrery::script {

// Once per process, before the library is used by more than one thread. kUnsupported when the
// library's imports are not as expected.
Status InstallAllocationCap();

// While it lives, allocations over `bytes` by the library on this thread fail. Not nested.
class ScopedAllocationCap {
 public:
  explicit ScopedAllocationCap(size_t bytes);
  ~ScopedAllocationCap();
  ScopedAllocationCap(const ScopedAllocationCap&) = delete;
  ScopedAllocationCap& operator=(const ScopedAllocationCap&) = delete;
};

}  // namespace orrery::script
