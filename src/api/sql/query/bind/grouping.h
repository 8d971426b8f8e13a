// The scope of expressions once rows have become groups: the keys of GROUP BY, and aggregates.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/sql/evaluate/binder.h"
#include "api/sql/function/function_registry.h"
#include "api/sql/parser/ast/query.h"

namespace orrery::sql {

// Returns whether an aggregate stands in the expression, other than in a subquery of its own.
bool HasAggregate(const ast::Expression& expression, const FunctionRegistry& functions);

// Takes ORDER BY away from a query of aggregates without GROUP BY: its one row needs no order, and
// what it is ordered by is of rows that are no more.
void DropOrderOfOneRow(ast::Query& query, const FunctionRegistry& functions);

// Finds keys again where they are repeated word by word, and refuses other parts of rows.
// Not thread-safe; for the binding of one query.
class GroupSlots final : public SlotFinder {
 public:
  // `aliases`: of the rows that are grouped. `text`: of the query. Both must outlive it.
  GroupSlots(const std::set<std::string, std::less<>>& aliases, std::string_view text)
      : aliases_(aliases), text_(text) {}

  void Add(const ast::Expression& key, uint32_t slot);

  Parsed<std::optional<uint32_t>> FindSlot(const ast::Expression& expression) override;

 private:
  struct Key {
    uint32_t depth;  // what is not as deep is not the same
    std::string printed;
    uint32_t slot;
  };

  std::optional<uint32_t> Find(const ast::Expression& expression) const;

  const std::set<std::string, std::less<>>& aliases_;
  const std::string_view text_;
  std::vector<Key> keys_;
};

}  // namespace orrery::sql
