#include "api/sql/query/bind/grouping.h"

#include <fmt/format.h>

#include "api/sql/parser/print/print.h"
#include "api/sql/query/bind/query_error_codes.h"
#include "api/sql/query/bind/tree_walk.h"

namespace orrery::sql {

bool HasAggregate(const ast::Expression& expression, const FunctionRegistry& functions) {
  if (const auto* call = expression.As<ast::FunctionCall>()) {
    if (!call->is_user_defined && functions.Find(call->function.text) == nullptr &&
        FindAggregate(call->function.text).has_value())
      return true;
  }
  bool found = false;
  ForEachChild(
      expression,
      [&](const ast::Expression& child) { found = found || HasAggregate(child, functions); },
      [](const ast::Query&) {});
  return found;
}

void DropOrderOfOneRow(ast::Query& query, const FunctionRegistry& functions) {
  if (!query.order_by.has_value() || query.order_by->is_rank || !query.group_by.empty()) return;
  bool is_one_row = false;
  ForEachSelected(query.select, [&](const ast::Expression& expression) {
    is_one_row = is_one_row || HasAggregate(expression, functions);
  });
  if (is_one_row) query.order_by.reset();
}

void GroupSlots::Add(const ast::Expression& key, uint32_t slot) {
  keys_.push_back({key.depth, PrintExpression(key), slot});
}

std::optional<uint32_t> GroupSlots::Find(const ast::Expression& expression) const {
  std::optional<std::string> printed;
  for (const Key& key : keys_) {
    if (key.depth != expression.depth) continue;
    if (!printed.has_value()) printed = PrintExpression(expression);
    if (key.printed == *printed) return key.slot;
  }
  return std::nullopt;
}

Parsed<std::optional<uint32_t>> GroupSlots::FindSlot(const ast::Expression& expression) {
  if (const auto slot = Find(expression)) return slot;
  const ast::Identifier* root = RootOf(expression);
  if (root == nullptr || !aliases_.contains(root->name)) return std::nullopt;
  // A path below a key is a path into the key's value.
  for (const ast::Expression* at = &expression; at != nullptr;) {
    if (Find(*at).has_value()) return std::nullopt;
    if (const auto* property = at->As<ast::PropertyAccess>()) {
      at = property->object.get();
    } else if (const auto* index = at->As<ast::IndexAccess>()) {
      at = index->object.get();
    } else {
      at = nullptr;
    }
  }
  const char* const where = keys_.empty() ? "an aggregate function"
                                          : "either an aggregate function or the GROUP BY clause";
  return std::unexpected(
      ErrorAt(text_, expression.range, kUngroupedCode,
              fmt::format("Property reference '{}' is invalid in the select list because it is not "
                          "contained in {}.",
                          PrintExpression(expression), where)));
}

}  // namespace orrery::sql
