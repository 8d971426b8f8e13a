// KeptBytes count about how many bytes a query keeps in memory.
#pragma once

#include <cstddef>

#include "base/status.h"

namespace orrery::query {

class KeptBytes {
 public:
  explicit KeptBytes(size_t max) : max_(max) {}

  // kTooLarge past the limit.
  Status Add(size_t bytes) {
    bytes_ += bytes;
    if (bytes_ > max_)
      return Fail(Code::kTooLarge,
                  "the query needs too much memory for its groups, distinct values or sorted rows");
    return {};
  }
  void Remove(size_t bytes) { bytes_ -= bytes; }

 private:
  const size_t max_;
  size_t bytes_ = 0;
};

}  // namespace orrery::query
