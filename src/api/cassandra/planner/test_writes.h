// Terms and modifications planned from text and bound to values, for tests of planners and
// executors.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/cassandra/function/function_context.h"
#include "api/cassandra/planner/modification/modification_plan.h"
#include "api/cassandra/planner/test_tables.h"
#include "api/cassandra/types/type_builder.h"

namespace orrery::cassandra::testing {

// An execution: the values of its markers, and ids that are all the same.
class Execution {
 public:
  explicit Execution(std::vector<TermValue> values = {}) : values_(std::move(values)) {
    for (const TermValue& value : values_)
      bound_.push_back({static_cast<BoundValue::State>(value.state), value.bytes});
    evaluation_.values = bound_;
    evaluation_.functions = &functions_;
  }
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;

  Evaluation& evaluation() { return evaluation_; }

 private:
  class SameUuids final : public UuidSource {
    std::string NextTimeUuid() override { return std::string(16, '\x11'); }
    std::string NextRandomUuid() override { return std::string(16, '\x44'); }
  };
  static_assert(static_cast<int>(TermValue::State::kUnset) ==
                static_cast<int>(BoundValue::State::kUnset));

  const std::vector<TermValue> values_;
  std::vector<BoundValue> bound_;
  SameUuids uuids_;
  FunctionContext functions_{std::chrono::seconds(1'700'000'000), uuids_};
  Evaluation evaluation_;
};

using PlannedWrite = Planned<ModificationPlan>;

// A table with a counter `n`.
inline TablePtr Counters() {
  return TableBuilder("counters").Key("k", Int()).Regular("n", Native(TypeKind::kCounter)).Build();
}

// INSERT, INSERT JSON, UPDATE or DELETE.
inline PlannedWrite PlanWrite(const TablePtr& table, std::string_view text) {
  return PlanParsed<ModificationPlan>(
      table, text, {},
      [&](const ast::Statement& statement, const TermScope& terms,
          Variables& variables) -> CqlResult<ModificationPlan> {
        const ModificationScope scope{terms, variables};
        if (const auto* insert = std::get_if<ast::Insert>(&statement))
          return PlanInsert(*insert, table, scope);
        if (const auto* json = std::get_if<ast::InsertJson>(&statement))
          return PlanInsertJson(*json, table, scope);
        if (const auto* update = std::get_if<ast::Update>(&statement))
          return PlanUpdate(*update, table, scope);
        if (const auto* deletion = std::get_if<ast::Delete>(&statement))
          return PlanDelete(*deletion, table, scope);
        return Invalid("no write");
      });
}

// A statement that must be accepted, with its values. The plan goes with it.
struct BoundWrite {
  std::shared_ptr<const ModificationPlan> plan;
  BoundModification bound;
  std::string error;  // why binding was refused
};

inline BoundWrite BindWrite(const TablePtr& table, std::string_view text,
                            std::vector<TermValue> values = {}) {
  PlannedWrite planned = PlanWrite(table, text);
  BoundWrite write;
  EXPECT_NE(planned.plan, nullptr) << text << ": " << planned.error;
  if (planned.plan == nullptr) return write;
  write.plan = std::move(planned.plan);
  Execution execution(std::move(values));
  auto bound = BindModification(*write.plan, execution.evaluation());
  if (bound.has_value()) {
    write.bound = *std::move(bound);
  } else {
    write.error = bound.error().message;
  }
  return write;
}

}  // namespace orrery::cassandra::testing
