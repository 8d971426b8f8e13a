// An OperatorPlan says which operators make the rows of a query, and what they evaluate.
//
//   sources -> where -> groups -> select -> order -> distinct -> offset, limit
//
// The aliases, group keys and aggregates of a query and of all queries within it have slots of one
// numbering, so that a subquery sees the rows around it in their own slots.
//
// It points to evaluators and functions that the API owns and that must outlive it. Immutable once
// made, so thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/compare.h"
#include "query/operator/aggregate_function.h"
#include "query/operator/evaluator.h"

namespace orrery::query {

struct OperatorPlan;

// Gives values for its slot, for each row of the sources before it.
struct SourceStep {
  enum class Kind : uint8_t {
    kDocuments,  // the container's; always the first source
    kValue,      // `value`
    kQuery,      // each row of `query`
  };
  Kind kind = Kind::kValue;
  const Evaluator* value = nullptr;
  std::shared_ptr<const OperatorPlan> query = nullptr;
  bool is_iterated = false;  // each element of arrays, instead of the values themselves
  uint32_t slot = 0;
};

struct AggregateStep {
  const AggregateFunction* function = nullptr;
  const Evaluator* argument = nullptr;
  uint32_t slot = 0;
};

struct GroupKeyStep {
  const Evaluator* value = nullptr;
  uint32_t slot = 0;
};

struct OrderingStep {
  const Evaluator* value = nullptr;
  bool descending = false;
};

// An order of rows that depends on all of them. Immutable, so thread-safe.
class RowRanking {
 public:
  virtual ~RowRanking() = default;
  // Returns the numbers of the rows, the best first. `rows` has the values of all
  // OperatorPlan::rank for each row.
  virtual std::vector<size_t> Rank(
      const std::vector<const std::vector<model::Value>*>& rows) const = 0;
};

// The rules by which query languages compare values differently.
struct ValueRules {
  model::Order order = model::Order::kSql;
  // Appends bytes that two values have in common if and only if DISTINCT and groups hold them
  // equal.
  void (*append_identity)(std::string& out, const model::Value& value) = nullptr;
  // Returns whether rows with the value are among those that are ordered by it alone. Null: all
  // are.
  bool (*has_place)(const model::Value& value) = nullptr;
};

struct OperatorPlan {
  ValueRules rules;
  std::vector<SourceStep> sources;   // none: one row without values
  const Evaluator* where = nullptr;  // rows of which it is true; null: all
  std::vector<GroupKeyStep> group_by;
  std::vector<AggregateStep> aggregates;
  // The documents are partial groups (model/aggregate/partial_groups.h) of these keys and
  // aggregates, to be merged. REQUIRES: the documents are the only source, and no `where`.
  bool merges_groups = false;
  const Evaluator* select = nullptr;  // a row whose value is undefined is none
  std::vector<OrderingStep> order_by;
  bool orders_undefined = false;       // by one value: undefined has a place, too
  std::vector<const Evaluator*> rank;  // what `ranking` looks at, instead of order_by
  std::shared_ptr<const RowRanking> ranking = nullptr;
  bool is_distinct = false;
  uint64_t offset = 0;
  std::optional<uint64_t> limit;
  uint32_t slot_count = 0;  // of a whole query, those of its subqueries included

  // Returns whether rows become groups: then all of them are needed for the first.
  bool is_grouped() const { return !group_by.empty() || !aggregates.empty(); }
};

}  // namespace orrery::query
