// A WindowFunction computes one output of $setWindowFields, for all rows of a partition at once.
//
// Immutable and thread-safe.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/mongo/error/mongo_error.h"
#include "api/mongo/language/expression/expression.h"
#include "api/mongo/language/pipeline/window.h"
#include "api/mongo/language/row.h"
#include "api/mongo/language/sort/sort_pattern.h"
#include "model/value.h"

namespace orrery::mongo {

// One partition's rows in order.
struct WindowPartition {
  std::vector<Row> rows;
  std::vector<SortKey> keys;  // by the whole sort pattern
  model::Values values;       // of the first sort part as an expression has it, for ranges
};

class WindowFunction {
 public:
  virtual ~WindowFunction() = default;
  virtual Answer<model::Values> Compute(const WindowPartition& partition,
                                        const QueryContext& context) const = 0;
};
using WindowFunctionPtr = std::unique_ptr<const WindowFunction>;

// The values of an expression for all rows of a partition.
Answer<model::Values> EvaluateRows(const Expression& expression, const WindowPartition& partition,
                                   const QueryContext& context);

// The surroundings of a function in its output field and stage.
struct WindowPlace {
  const std::optional<SortPattern>& sort;
  Window window;
  bool has_window = false;
};

// The functions of a series of numbers: $derivative, $integral, $expMovingAvg, $linearFill,
// $covariancePop, $covarianceSamp.
bool IsSeriesFunction(std::string_view name);
// REQUIRES: IsSeriesFunction(name).
Answer<WindowFunctionPtr> ParseSeriesFunction(const std::string& name, const model::Value& argument,
                                              const WindowPlace& place,
                                              const QueryContext& context);

}  // namespace orrery::mongo
