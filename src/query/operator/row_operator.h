// The operators of a query, pulled row by row: a row is what the slots of a RowFrame hold after
// Next() was true.
//
//   documents or one row -> sources -> filter -> groups        rows in slots (here)
//   -> projection -> sort -> distinct -> limit                 rows as values (output_operator.h)
//
// Each owns its input. Lives for one execution, on one thread; what it points into must outlive it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/status.h"
#include "model/value.h"
#include "query/operator/evaluator.h"
#include "query/run_limits.h"

namespace orrery::query {

class RowOperator {
 public:
  virtual ~RowOperator() = default;
  // False when there are no more rows; then it must not be called again.
  virtual Result<bool> Next() = 0;
};
using RowOperatorPtr = std::unique_ptr<RowOperator>;

// The slots of one execution of a query, and how much it may still do.
class RowFrame {
 public:
  // As many slots as `outer` has; those of the queries around it keep their values.
  RowFrame(const Frame& outer, const RunLimits& limits)
      : slots_(outer.slots.begin(), outer.slots.end()),
        frame_{slots_, outer.context, outer.rows == nullptr ? &rows_ : outer.rows},
        limits_(limits) {}
  RowFrame(const RowFrame&) = delete;
  RowFrame& operator=(const RowFrame&) = delete;

  Frame& frame() { return frame_; }
  const RunLimits& limits() const { return limits_; }
  void Set(uint32_t slot, const model::Value& value) { slots_[slot] = &value; }

  // One row of a join; kTooLarge when there are too many since the last document, with those of the
  // queries around this one.
  Status CountRow();
  void BeginDocument() { *frame_.rows = 0; }

 private:
  std::vector<const model::Value*> slots_;
  Frame frame_;
  const RunLimits& limits_;
  uint64_t rows_ = 0;  // where no query around this one counts
};

}  // namespace orrery::query
