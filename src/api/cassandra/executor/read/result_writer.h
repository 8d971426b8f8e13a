// Writes result rows as the protocol has them: [bytes] after [bytes].
//
// Lives for one execution, on one thread. The plan must outlive it.
#pragma once

#include <string>

#include "api/cassandra/planner/select/select_plan.h"
#include "api/cassandra/planner/term/expression.h"

namespace orrery::cassandra {

void AppendCell(std::string& cells, std::optional<std::string_view> value);

class ResultWriter {
 public:
  explicit ResultWriter(const SelectPlan& plan) : plan_(plan) {}

  // Appends one result row: of evaluation.row, and of evaluation.aggregates.
  CqlStatus Append(const Evaluation& evaluation, std::string& cells) const;

 private:
  CqlStatus AppendJson(const Evaluation& evaluation, std::string& cells) const;

  const SelectPlan& plan_;
};

}  // namespace orrery::cassandra
