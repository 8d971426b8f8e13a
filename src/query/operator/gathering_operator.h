// A GatheringOperator needs all rows of its input before it can give the first: for sorting and
// ranking. kTooLarge past the limits on what a query keeps.
#pragma once

#include <utility>
#include <vector>

#include "query/operator/output_operator.h"
#include "query/run_limits.h"

namespace orrery::query {

class GatheringOperator : public OutputOperator {
 public:
  // `limits` must outlive it.
  GatheringOperator(OutputOperatorPtr input, const RunLimits& limits)
      : input_(std::move(input)), limits_(limits) {}

  Result<bool> Next(OutputRow& row) final;

 protected:
  // The numbers of the rows, in the order in which they are given.
  virtual std::vector<size_t> Arrange(const std::vector<OutputRow>& rows) const = 0;

 private:
  Status Gather();

  const OutputOperatorPtr input_;
  const RunLimits& limits_;
  std::vector<OutputRow> rows_;
  std::vector<size_t> order_;
  bool is_arranged_ = false;
  size_t next_ = 0;
};

}  // namespace orrery::query
