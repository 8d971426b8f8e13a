// The implementation of binder.h: one visit per node of the tree, children first. Only binder*.cc
// need this.
//
// Constants are folded where they end: a part of the tree that needs no row is evaluated as one,
// when something around it does need a row, or at the top. So each node is evaluated once, however
// deep it stands.
#pragma once

#include <utility>
#include <vector>

#include "api/sql/evaluate/bind_error.h"
#include "api/sql/evaluate/binder.h"
#include "api/sql/evaluate/node/nodes.h"

namespace orrery::sql {

class ExpressionBinder {
 public:
  // A bound expression, and whether it needs neither a row nor a volatile function.
  struct Part {
    BoundExpressionPtr node;
    bool is_constant = false;
  };

  explicit ExpressionBinder(const BindContext& context)
      : context_(context), errors_(context.text) {}

  Parsed<Part> Bind(const ast::Expression& expression) const;
  // And folded, if it is constant.
  Parsed<BoundExpressionPtr> BindWhole(const ast::Expression& expression) const;

 private:
  using Expressions = std::vector<const ast::Expression*>;

  struct Children {
    node::Nodes nodes;
    bool are_constant = false;
  };

  Parsed<Part> BindNode(const ast::Expression& at, const ast::Undefined& tree) const;
  Parsed<Part> BindNode(const ast::Expression& at, const ast::Null& tree) const;
  Parsed<Part> BindNode(const ast::Expression& at, const ast::Boolean& tree) const;
  Parsed<Part> BindNode(const ast::Expression& at, const ast::Number& tree) const;
  Parsed<Part> BindNode(const ast::Expression& at, const ast::String& tree) const;
  Parsed<Part> BindNode(const ast::Expression& at, const ast::Parameter& tree) const;
  Parsed<Part> BindNode(const ast::Expression& at, const ast::Identifier& tree) const;
  Parsed<Part> BindNode(const ast::Expression& at, const ast::Placeholder& tree) const;
  Parsed<Part> BindNode(const ast::Expression& at, const ast::Subquery& tree) const;
  // binder_operations.cc
  Parsed<Part> BindNode(const ast::Expression& at, const ast::PropertyAccess& tree) const;
  Parsed<Part> BindNode(const ast::Expression& at, const ast::IndexAccess& tree) const;
  Parsed<Part> BindNode(const ast::Expression& at, const ast::ArrayConstructor& tree) const;
  Parsed<Part> BindNode(const ast::Expression& at, const ast::ObjectConstructor& tree) const;
  Parsed<Part> BindNode(const ast::Expression& at, const ast::Unary& tree) const;
  Parsed<Part> BindNode(const ast::Expression& at, const ast::Binary& tree) const;
  Parsed<Part> BindNode(const ast::Expression& at, const ast::Logical& tree) const;
  Parsed<Part> BindNode(const ast::Expression& at, const ast::Conditional& tree) const;
  Parsed<Part> BindNode(const ast::Expression& at, const ast::In& tree) const;
  Parsed<Part> BindNode(const ast::Expression& at, const ast::Between& tree) const;
  Parsed<Part> BindNode(const ast::Expression& at, const ast::Like& tree) const;
  // binder_calls.cc
  Parsed<Part> BindNode(const ast::Expression& at, const ast::FunctionCall& tree) const;
  Parsed<Part> BindUserCall(const ast::FunctionCall& call) const;
  Parsed<Part> BindAggregate(const ast::Expression& at, const ast::FunctionCall& call,
                             Aggregate aggregate) const;
  Parsed<Part> BindRegexMatch(const ast::Expression& at, const Function& function,
                              Children arguments) const;

  // Each of them; constants are folded unless all are constant and `is_pure`, since then what is
  // made of them is.
  Parsed<Children> BindChildren(const Expressions& expressions, bool is_pure = true) const;
  Parsed<BoundExpressionPtr> Fold(SourceRange range, BoundExpressionPtr node) const;

  // Binds the expressions and passes them to `make`.
  template <typename Make>
  Parsed<Part> Compose(const Expressions& expressions, Make make) const {
    Parsed<Children> children = BindChildren(expressions);
    if (!children.has_value()) return std::unexpected(std::move(children).error());
    return Part{make(std::move(children->nodes)), children->are_constant};
  }

  static Expressions PointersTo(const std::vector<ast::Expression>& expressions);

  const BindContext& context_;
  const BindErrors errors_;
};

}  // namespace orrery::sql
