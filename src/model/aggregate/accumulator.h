// An Accumulator makes one value of the rows of a group, in two steps that can be taken apart: rows
// are added, wherever they are; another Accumulator of the same aggregate merges the Partial, and
// the last one answers the Final. Which rows were added where makes no difference.
//
// Used by one thread at a time.
#pragma once

#include <cstddef>

#include "base/status.h"
#include "model/value.h"

namespace orrery::model {

class Accumulator {
 public:
  virtual ~Accumulator() = default;

  // One row's value. kTooLarge when what is kept passes a bound.
  virtual Status Add(const Value& value) = 0;
  // Another's Partial. kInvalidArgument when it is none; kTooLarge as Add.
  virtual Status Merge(const Value& partial) = 0;

  virtual Value Partial() const = 0;
  virtual Value Final() const = 0;

  // Returns about how many bytes of the rows' values it keeps.
  virtual size_t kept_bytes() const { return 0; }
};

}  // namespace orrery::model
