// A KeptRun is what a server keeps of a query between two requests of a client: rows that are made
// already, or everything that makes the next ones. An API derives its own from it and gets it back
// from the CursorRegistry.
//
// Used by one thread at a time, but destroyed on any: by whoever ends the cursor.
#pragma once

#include <cstddef>

namespace orrery::query {

class KeptRun {
 public:
  virtual ~KeptRun() = default;
  // Returns about how many bytes of memory it keeps. Asked when it is put into the registry.
  virtual size_t bytes() const = 0;
};

}  // namespace orrery::query
