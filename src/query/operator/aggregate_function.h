// An AggregateFunction makes one value of many rows, by Accumulators whose partial results can be
// made in one place and merged in another (model/aggregate/accumulator.h).
#pragma once

#include <memory>

#include "model/aggregate/accumulator.h"

namespace orrery::query {

using model::Accumulator;

// Immutable, so thread-safe.
class AggregateFunction {
 public:
  virtual ~AggregateFunction() = default;
  virtual std::unique_ptr<Accumulator> Start() const = 0;
  // Returns whether its state grows with the rows: lists and sets.
  virtual bool keeps_values() const = 0;
};

}  // namespace orrery::query
