// WriteTokens makes the writers of an engine take turns in builds with ThreadSanitizer, and is
// nothing in all others.
//
// RocksDB lets the first of several writers write the batches of all. It hands them over by
// atomics, and as the library is not instrumented the sanitizer does not see those: each batch
// would look like a race between the thread that filled it and the one that wrote it.
#pragma once

#include "base/mutex.h"

namespace orrery::storage {

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ORRERY_WRITERS_TAKE_TOKENS
#endif
#endif

#ifdef ORRERY_WRITERS_TAKE_TOKENS
using WriteTokens = Mutex;
using WriteToken = MutexLock;
#else
struct WriteTokens {};
// Held for one write.
class WriteToken {
 public:
  explicit WriteToken(WriteTokens&) {}
};
#endif

}  // namespace orrery::storage
