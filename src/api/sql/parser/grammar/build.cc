#include "api/sql/parser/grammar/build.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace orrery::sql::grammar {
namespace {

uint32_t DepthOf(const ast::Expression& expression) { return expression.depth; }
uint32_t DepthOf(const ast::ExpressionPtr& expression) { return expression->depth; }
uint32_t DepthOf(const ast::ObjectProperty& property) { return property.value.depth; }
uint32_t DepthOf(const ast::SelectItem& item) { return item.value.depth; }
uint32_t DepthOf(const ast::Ordering& ordering) { return ordering.value.depth; }
uint32_t DepthOf(const ast::Source& source) {
  const auto* query = std::get_if<ast::QueryPtr>(&source.collection);
  return query ? (*query)->depth : std::get<ast::Expression>(source.collection).depth;
}

template <typename T>
uint32_t DeepestOf(const std::vector<T>& parts) {
  uint32_t deepest = 0;
  for (const T& part : parts) deepest = std::max(deepest, DepthOf(part));
  return deepest;
}

template <typename... Part>
uint32_t DeepestOf(const Part&... parts) {
  return std::max({DepthOf(parts)...});
}

// The depth of what is below a node.
struct DepthBelow {
  template <typename Leaf>
  uint32_t operator()(const Leaf&) const {
    return 0;
  }
  uint32_t operator()(const ast::PropertyAccess& node) const { return DepthOf(node.object); }
  uint32_t operator()(const ast::IndexAccess& node) const {
    return DeepestOf(node.object, node.index);
  }
  uint32_t operator()(const ast::ArrayConstructor& node) const { return DeepestOf(node.elements); }
  uint32_t operator()(const ast::ObjectConstructor& node) const {
    return DeepestOf(node.properties);
  }
  uint32_t operator()(const ast::FunctionCall& node) const { return DeepestOf(node.arguments); }
  uint32_t operator()(const ast::Unary& node) const { return DepthOf(node.operand); }
  uint32_t operator()(const ast::Binary& node) const { return DeepestOf(node.left, node.right); }
  uint32_t operator()(const ast::Logical& node) const { return DeepestOf(node.operands); }
  uint32_t operator()(const ast::Conditional& node) const {
    return DeepestOf(node.condition, node.yes, node.no);
  }
  uint32_t operator()(const ast::In& node) const {
    return std::max(DepthOf(node.value), DeepestOf(node.candidates));
  }
  uint32_t operator()(const ast::Between& node) const {
    return DeepestOf(node.value, node.low, node.high);
  }
  uint32_t operator()(const ast::Like& node) const { return DeepestOf(node.value, node.pattern); }
  uint32_t operator()(const ast::Subquery& node) const { return node.query->depth; }

  uint32_t operator()(const ast::SelectAll&) const { return 0; }
  uint32_t operator()(const ast::SelectValue& select) const { return DepthOf(select.value); }
  uint32_t operator()(const ast::SelectList& select) const { return DeepestOf(select.items); }
};

}  // namespace

ast::Expression Build(TokenStream& stream, uint32_t start, ast::Expression::Node node) {
  const uint32_t depth = 1 + std::visit(DepthBelow(), node);
  stream.CountNode(depth);
  return {.range = stream.RangeFrom(start), .depth = depth, .node = std::move(node)};
}

uint32_t DepthOf(const ast::Query& query) {
  return std::max({std::visit(DepthBelow(), query.select.what), DeepestOf(query.sources),
                   query.where ? query.where->depth : 0, DeepestOf(query.group_by),
                   query.order_by ? DeepestOf(query.order_by->orderings) : 0});
}

}  // namespace orrery::sql::grammar
