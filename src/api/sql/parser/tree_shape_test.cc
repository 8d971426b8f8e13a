#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/sql/parser/parser.h"
#include "api/sql/parser/tree_shape_for_test.h"

namespace orrery::sql {
namespace {

std::string Shape(const ast::ExpressionPtr& expression) { return ShapeOf(*expression); }
std::string Shape(const ast::QueryPtr& query) { return ShapeOf(*query); }
std::string Shape(const ast::Expression& expression) { return ShapeOf(expression); }
std::string Shape(const ast::ObjectProperty& property) {
  return fmt::format("({}: {})", property.name, ShapeOf(property.value));
}
std::string Shape(const ast::SelectItem& item) {
  const std::string value = ShapeOf(item.value);
  return item.alias ? fmt::format("(as {} {})", item.alias->text, value) : value;
}
std::string Shape(const ast::Source& source) {
  const std::string collection =
      std::visit([](const auto& alternative) { return Shape(alternative); }, source.collection);
  return fmt::format("({} {} {})", source.is_iterated ? "each" : "source",
                     source.alias ? source.alias->text : "-", collection);
}
std::string Shape(const ast::Ordering& ordering) {
  const char* order = !ordering.order                                 ? "-"
                      : *ordering.order == ast::SortOrder::kAscending ? "asc"
                                                                      : "desc";
  return fmt::format("({} {})", order, ShapeOf(ordering.value));
}

template <typename T>
std::string Shape(const std::vector<T>& parts) {
  std::string shape;
  for (const T& part : parts) shape += " " + Shape(part);
  return shape;
}

template <typename... Part>
std::string Node(std::string_view head, const Part&... parts) {
  std::string shape = fmt::format("({}", head);
  ((shape += " " + Shape(parts)), ...);
  return shape + ")";
}

std::string Negatable(bool negated, std::string_view head) {
  return negated ? fmt::format("not-{}", head) : std::string(head);
}

struct Shaper {
  std::string operator()(const ast::Undefined&) { return "undefined"; }
  std::string operator()(const ast::Null&) { return "null"; }
  std::string operator()(const ast::Boolean& node) { return node.value ? "true" : "false"; }
  std::string operator()(const ast::Number& node) { return node.text; }
  std::string operator()(const ast::String& node) { return fmt::format("'{}'", node.text); }
  std::string operator()(const ast::Parameter& node) { return node.name; }
  std::string operator()(const ast::Identifier& node) { return node.name; }
  std::string operator()(const ast::Placeholder& node) { return fmt::format("<{}>", node.name); }
  std::string operator()(const ast::PropertyAccess& node) {
    return Node("." + node.name, node.object);
  }
  std::string operator()(const ast::IndexAccess& node) {
    return Node("[]", node.object, node.index);
  }
  std::string operator()(const ast::ArrayConstructor& node) {
    return fmt::format("(array{})", Shape(node.elements));
  }
  std::string operator()(const ast::ObjectConstructor& node) {
    return fmt::format("(object{})", Shape(node.properties));
  }
  std::string operator()(const ast::FunctionCall& node) {
    return fmt::format("({} {}{})", node.is_user_defined ? "udf" : "call", node.function.text,
                       Shape(node.arguments));
  }
  std::string operator()(const ast::Unary& node) {
    return Node(OperatorText(node.op), node.operand);
  }
  std::string operator()(const ast::Binary& node) {
    return Node(OperatorText(node.op), node.left, node.right);
  }
  std::string operator()(const ast::Logical& node) {
    return fmt::format("({}{})", OperatorText(node.op), Shape(node.operands));
  }
  std::string operator()(const ast::Conditional& node) {
    return Node("?:", node.condition, node.yes, node.no);
  }
  std::string operator()(const ast::In& node) {
    return fmt::format("({} {}{})", Negatable(node.negated, "in"), Shape(node.value),
                       Shape(node.candidates));
  }
  std::string operator()(const ast::Between& node) {
    return Node(Negatable(node.negated, "between"), node.value, node.low, node.high);
  }
  std::string operator()(const ast::Like& node) {
    const std::string head = Negatable(node.negated, "like");
    return Node(node.escape ? fmt::format("{} escape '{}'", head, *node.escape) : head, node.value,
                node.pattern);
  }
  std::string operator()(const ast::Subquery& node) {
    constexpr std::string_view kHeads[] = {"scalar", "exists", "array-of", "all", "first", "last"};
    return Node(kHeads[static_cast<size_t>(node.kind)], node.query);
  }

  std::string operator()(const ast::SelectAll&) { return "*"; }
  std::string operator()(const ast::SelectValue& select) { return Node("value", select.value); }
  std::string operator()(const ast::SelectList& select) {
    return fmt::format("(list{})", Shape(select.items));
  }

  std::string operator()(uint32_t count) { return fmt::to_string(count); }
};

}  // namespace

std::string ShapeOf(const ast::Expression& expression) {
  return std::visit(Shaper(), expression.node);
}

std::string ShapeOf(const ast::Query& query) {
  std::string shape = "(select";
  if (query.select.is_distinct) shape += " distinct";
  if (query.select.top) shape += " top " + std::visit(Shaper(), *query.select.top);
  shape += " " + std::visit(Shaper(), query.select.what);
  shape += Shape(query.sources);
  if (query.where) shape += fmt::format(" (where {})", ShapeOf(*query.where));
  if (!query.group_by.empty()) shape += fmt::format(" (group{})", Shape(query.group_by));
  if (query.order_by) {
    shape += fmt::format(" ({}{})", query.order_by->is_rank ? "rank" : "order",
                         Shape(query.order_by->orderings));
  }
  if (query.offset_limit) {
    shape += fmt::format(" (offset {} limit {})", std::visit(Shaper(), query.offset_limit->offset),
                         std::visit(Shaper(), query.offset_limit->limit));
  }
  return shape + ")";
}

namespace {

TEST(TreeShape, LeavesNothingToPrecedence) {
  EXPECT_EQ(ShapeOf(ParseExpression("1 + 2 * c.a").value()), "(+ 1 (* 2 (.a c)))");
  EXPECT_EQ(ShapeOf(ParseQuery("SELECT a, b AS x FROM c").value()),
            "(select (list a (as x b)) (source - c))");
}

}  // namespace
}  // namespace orrery::sql
