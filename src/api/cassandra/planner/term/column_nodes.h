// Expressions that look at the row: a column, a part of a value, the time and life of a cell.
// `place` is the column's place in Table::columns, by which RowValues has it.
#pragma once

#include <string>

#include "api/cassandra/parser/ast/term.h"
#include "api/cassandra/planner/term/expression.h"

namespace orrery::cassandra {

class ColumnExpression final : public Expression {
 public:
  ColumnExpression(TypePtr type, size_t place) : Expression(std::move(type)), place_(place) {}
  CqlResult<TermValue> Evaluate(const Evaluation& evaluation) const override;
  size_t place() const { return place_; }

 private:
  const size_t place_;
};

// A field of a user-defined value.
class FieldExpression final : public Expression {
 public:
  FieldExpression(TypePtr type, ExpressionPtr value, size_t field)
      : Expression(std::move(type)), value_(std::move(value)), field_(field) {}
  CqlResult<TermValue> Evaluate(const Evaluation& evaluation) const override;

 private:
  const ExpressionPtr value_;
  const size_t field_;
};

// m[k]: the value of a map, or the element of a set if it is in it; null when it is not.
class ElementExpression final : public Expression {
 public:
  ElementExpression(TypePtr type, ExpressionPtr collection, ExpressionPtr key)
      : Expression(std::move(type)), collection_(std::move(collection)), key_(std::move(key)) {}
  CqlResult<TermValue> Evaluate(const Evaluation& evaluation) const override;

 private:
  const ExpressionPtr collection_;
  const ExpressionPtr key_;
};

// m[a..b]: a map or set of what is between, both ends included; a missing end (null) is open.
class SliceExpression final : public Expression {
 public:
  SliceExpression(ExpressionPtr collection, ExpressionPtr from, ExpressionPtr to)
      : Expression(collection->type()),
        collection_(std::move(collection)),
        from_(std::move(from)),
        to_(std::move(to)) {}
  CqlResult<TermValue> Evaluate(const Evaluation& evaluation) const override;

 private:
  const ExpressionPtr collection_;
  const ExpressionPtr from_;
  const ExpressionPtr to_;
};

// The cells of a column whose attribute is asked for.
struct CellChoice {
  size_t place = 0;
  ExpressionPtr element;             // m[k] of a map or set: the cell of this path
  std::optional<std::string> field;  // of a user-defined type: the path of its cell
  bool several = false;              // a whole column of several cells: a list of their attributes
};

class AttributeExpression final : public Expression {
 public:
  AttributeExpression(TypePtr type, ast::CellAttributeKind kind, CellChoice cells)
      : Expression(std::move(type)), kind_(kind), cells_(std::move(cells)) {}
  CqlResult<TermValue> Evaluate(const Evaluation& evaluation) const override;

 private:
  const ast::CellAttributeKind kind_;
  const CellChoice cells_;
};

// The path of a user-defined type's field among the cells of its column.
std::string FieldPath(size_t field);

}  // namespace orrery::cassandra
