// A copy of a request's bound values, for statements that go on after the request is gone.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "api/cassandra/protocol/body/primitives.h"

namespace orrery::cassandra {

class OwnedValues {
 public:
  explicit OwnedValues(std::span<const BoundValue> values) : values_(values.begin(), values.end()) {
    size_t bytes = 0;
    for (const BoundValue& value : values) bytes += value.bytes.size();
    // All views must point into the one buffer, which may not move any more.
    bytes_.reserve(bytes);
    for (BoundValue& value : values_) {
      const size_t begin = bytes_.size();
      bytes_ += value.bytes;
      value.bytes = std::string_view(bytes_).substr(begin);
    }
  }
  OwnedValues(const OwnedValues&) = delete;
  OwnedValues& operator=(const OwnedValues&) = delete;

  std::span<const BoundValue> values() const { return values_; }

 private:
  std::string bytes_;
  std::vector<BoundValue> values_;
};

}  // namespace orrery::cassandra
