// Accesses, constructors, operators and predicates.
#include <string>
#include <utility>

#include "api/sql/evaluate/expression_binder.h"
#include "api/sql/function/argument.h"

namespace orrery::sql {

using ast::Expression;
using node::Nodes;
using Part = ExpressionBinder::Part;

Parsed<Part> ExpressionBinder::BindNode(const Expression&, const ast::PropertyAccess& tree) const {
  const auto* alias = tree.object->As<ast::Identifier>();
  if (context_.properties != nullptr && alias != nullptr) {
    if (const auto slot = context_.scope.Find(alias->name)) {
      Parsed<BoundExpressionPtr> value = context_.properties->BindProperty(*slot, tree.name);
      if (!value.has_value()) return std::unexpected(std::move(value).error());
      if (*value != nullptr) return Part{*std::move(value), false};
    }
  }
  return Compose({tree.object.get()},
                 [&](Nodes nodes) { return node::Property(std::move(nodes[0]), tree.name); });
}

Parsed<Part> ExpressionBinder::BindNode(const Expression&, const ast::IndexAccess& tree) const {
  return Compose({tree.object.get(), tree.index.get()},
                 [](Nodes nodes) { return node::Index(std::move(nodes[0]), std::move(nodes[1])); });
}

Parsed<Part> ExpressionBinder::BindNode(const Expression&,
                                        const ast::ArrayConstructor& tree) const {
  return Compose(PointersTo(tree.elements),
                 [](Nodes nodes) { return node::Array(std::move(nodes)); });
}

Parsed<Part> ExpressionBinder::BindNode(const Expression&,
                                        const ast::ObjectConstructor& tree) const {
  Expressions values;
  std::vector<std::string> names;
  for (const ast::ObjectProperty& property : tree.properties) {
    values.push_back(&property.value);
    names.push_back(property.name);
  }
  return Compose(values,
                 [&](Nodes nodes) { return node::Object(std::move(names), std::move(nodes)); });
}

Parsed<Part> ExpressionBinder::BindNode(const Expression&, const ast::Unary& tree) const {
  return Compose({tree.operand.get()},
                 [&](Nodes nodes) { return node::Unary(tree.op, std::move(nodes[0])); });
}

Parsed<Part> ExpressionBinder::BindNode(const Expression&, const ast::Binary& tree) const {
  return Compose({tree.left.get(), tree.right.get()}, [&](Nodes nodes) {
    if (tree.op == ast::BinaryOperator::kCoalesce)
      return node::Coalesce(std::move(nodes[0]), std::move(nodes[1]));
    return node::Binary(tree.op, std::move(nodes[0]), std::move(nodes[1]));
  });
}

Parsed<Part> ExpressionBinder::BindNode(const Expression&, const ast::Logical& tree) const {
  return Compose(PointersTo(tree.operands),
                 [&](Nodes nodes) { return node::Logical(tree.op, std::move(nodes)); });
}

Parsed<Part> ExpressionBinder::BindNode(const Expression&, const ast::Conditional& tree) const {
  return Compose({tree.condition.get(), tree.yes.get(), tree.no.get()}, [](Nodes nodes) {
    return node::Conditional(std::move(nodes[0]), std::move(nodes[1]), std::move(nodes[2]));
  });
}

Parsed<Part> ExpressionBinder::BindNode(const Expression&, const ast::In& tree) const {
  Expressions operands = PointersTo(tree.candidates);
  operands.insert(operands.begin(), tree.value.get());
  return Compose(operands, [&](Nodes nodes) {
    BoundExpressionPtr value = std::move(nodes.front());
    nodes.erase(nodes.begin());
    return node::In(tree.negated, std::move(value), std::move(nodes));
  });
}

Parsed<Part> ExpressionBinder::BindNode(const Expression&, const ast::Between& tree) const {
  return Compose({tree.value.get(), tree.low.get(), tree.high.get()}, [&](Nodes nodes) {
    return node::Between(tree.negated, std::move(nodes[0]), std::move(nodes[1]),
                         std::move(nodes[2]));
  });
}

Parsed<Part> ExpressionBinder::BindNode(const Expression& at, const ast::Like& tree) const {
  Parsed<Children> operands = BindChildren({tree.value.get(), tree.pattern.get()});
  if (!operands.has_value()) return std::unexpected(std::move(operands).error());
  Nodes& nodes = operands->nodes;
  const Value* pattern = operands->are_constant ? nullptr : nodes[1]->constant();
  const std::string* text = pattern == nullptr ? nullptr : TextOf(*pattern);
  if (text == nullptr)
    return Part{node::Like(tree.negated, std::move(nodes[0]), std::move(nodes[1]), tree.escape),
                operands->are_constant};
  Result<LikePattern> compiled = LikePattern::Parse(*text, tree.escape);
  if (!compiled.has_value())
    return std::unexpected(errors_.InvalidConstant(at.range, compiled.error()));
  return Part{node::Like(tree.negated, std::move(nodes[0]), *std::move(compiled)), false};
}

}  // namespace orrery::sql
