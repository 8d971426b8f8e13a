#include <algorithm>
#include <variant>

#include "api/sql/parser/print/append.h"
#include "api/sql/parser/print/print.h"
#include "api/sql/parser/token/keyword.h"
#include "api/sql/parser/token/string_literal.h"
#include "query/lexer/character_class.h"

namespace orrery::sql {
namespace {

using ast::Expression;
using ast::Precedence;

struct PrecedenceOfNode {
  template <typename Node>
  Precedence operator()(const Node&) const {
    return Precedence::kPrimary;
  }
  Precedence operator()(const ast::Unary& node) const { return PrecedenceOf(node.op); }
  Precedence operator()(const ast::Binary& node) const { return PrecedenceOf(node.op); }
  Precedence operator()(const ast::Logical& node) const { return PrecedenceOf(node.op); }
  Precedence operator()(const ast::Conditional&) const { return Precedence::kConditional; }
  Precedence operator()(const ast::In&) const { return Precedence::kPredicate; }
  Precedence operator()(const ast::Between&) const { return Precedence::kPredicate; }
  Precedence operator()(const ast::Like&) const { return Precedence::kPredicate; }
};

constexpr Precedence kPredicateOperand = ast::Tighter(Precedence::kPredicate);

// A sign and the digits behind it are one number to whoever reads them.
bool IsNegativeNumber(const Expression& expression) {
  const auto* unary = expression.As<ast::Unary>();
  return unary != nullptr && unary->op == ast::UnaryOperator::kMinus &&
         unary->operand->As<ast::Number>() != nullptr;
}

class ExpressionPrinter {
 public:
  ExpressionPrinter(std::string& out, PrintStyle style) : out_(out), style_(style) {}

  void Print(const Expression& expression, Precedence floor) {
    if (style_.is_full && !IsNegativeNumber(expression)) floor = Precedence::kPrimary;
    const bool in_parentheses = std::visit(PrecedenceOfNode(), expression.node) < floor;
    if (in_parentheses) out_ += '(';
    std::visit(*this, expression.node);
    if (in_parentheses) out_ += ')';
  }

  void operator()(const ast::Undefined&) { out_ += "undefined"; }
  void operator()(const ast::Null&) { out_ += "null"; }
  void operator()(const ast::Boolean& literal) { out_ += literal.value ? "true" : "false"; }
  void operator()(const ast::Number& literal) { out_ += literal.text; }
  void operator()(const ast::String& literal) { out_ += QuoteString(literal.text); }
  void operator()(const ast::Parameter& parameter) { out_ += parameter.name; }
  void operator()(const ast::Identifier& identifier) { out_ += identifier.name; }
  void operator()(const ast::Placeholder& placeholder) {
    out_ += '{';
    out_ += placeholder.name;
    out_ += '}';
  }

  void operator()(const ast::PropertyAccess& access) {
    PrintObject(*access.object);
    if (IsPlainProperty(access.name)) {
      out_ += '.';
      out_ += access.name;
    } else {
      out_ += '[';
      out_ += QuoteString(access.name);
      out_ += ']';
    }
  }
  void operator()(const ast::IndexAccess& access) {
    PrintObject(*access.object);
    out_ += '[';
    Print(*access.index, Precedence::kConditional);
    out_ += ']';
  }

  void operator()(const ast::ArrayConstructor& array) {
    out_ += '[';
    PrintList(array.elements);
    out_ += ']';
  }
  void operator()(const ast::ObjectConstructor& object) {
    out_ += '{';
    for (size_t i = 0; i < object.properties.size(); ++i) {
      if (i > 0) out_ += ", ";
      out_ += QuoteString(object.properties[i].name);
      out_ += ": ";
      Print(object.properties[i].value, Precedence::kConditional);
    }
    out_ += '}';
  }

  void operator()(const ast::FunctionCall& call) {
    if (call.is_user_defined) out_ += "udf.";
    out_ += call.function.text;
    out_ += '(';
    PrintList(call.arguments);
    out_ += ')';
  }

  void operator()(const ast::Unary& unary) {
    out_ += OperatorText(unary.op);
    // Two minus signs would begin a comment.
    if (unary.op == ast::UnaryOperator::kNot || unary.operand->As<ast::Unary>()) out_ += ' ';
    Print(*unary.operand, PrecedenceOf(unary.op));
  }
  void operator()(const ast::Binary& binary) {
    Print(*binary.left, PrecedenceOf(binary.op));
    PrintSpaced(OperatorText(binary.op));
    Print(*binary.right, ast::Tighter(PrecedenceOf(binary.op)));
  }
  void operator()(const ast::Logical& logical) {
    for (size_t i = 0; i < logical.operands.size(); ++i) {
      if (i > 0) PrintSpaced(OperatorText(logical.op));
      Print(logical.operands[i], ast::Tighter(PrecedenceOf(logical.op)));
    }
  }
  void operator()(const ast::Conditional& conditional) {
    Print(*conditional.condition, ast::Tighter(Precedence::kConditional));
    out_ += " ? ";
    Print(*conditional.yes, Precedence::kConditional);
    out_ += " : ";
    Print(*conditional.no, Precedence::kConditional);
  }

  void operator()(const ast::In& in) {
    PrintValueAndKeyword(*in.value, in.negated, "IN");
    out_ += '(';
    PrintList(in.candidates);
    out_ += ')';
  }
  void operator()(const ast::Between& between) {
    PrintValueAndKeyword(*between.value, between.negated, "BETWEEN");
    Print(*between.low, kPredicateOperand);
    PrintSpaced("AND");
    Print(*between.high, kPredicateOperand);
  }
  void operator()(const ast::Like& like) {
    PrintValueAndKeyword(*like.value, like.negated, "LIKE");
    Print(*like.pattern, kPredicateOperand);
    if (!like.escape) return;
    PrintSpaced("ESCAPE");
    out_ += QuoteString(*like.escape);
  }

  void operator()(const ast::Subquery& subquery) {
    constexpr std::string_view kKeywords[] = {"", "EXISTS", "ARRAY", "ALL", "FIRST", "LAST"};
    out_ += kKeywords[static_cast<size_t>(subquery.kind)];
    AppendSubquery(out_, *subquery.query, style_);
  }

 private:
  // A dot behind a number would belong to the number.
  void PrintObject(const Expression& object) {
    const bool is_number = object.As<ast::Number>() != nullptr;
    if (is_number) out_ += '(';
    Print(object, Precedence::kPrimary);
    if (is_number) out_ += ')';
  }

  void PrintList(const std::vector<Expression>& expressions) {
    for (size_t i = 0; i < expressions.size(); ++i) {
      if (i > 0) out_ += ", ";
      Print(expressions[i], Precedence::kConditional);
    }
  }

  void PrintSpaced(std::string_view text) {
    out_ += ' ';
    out_ += text;
    out_ += ' ';
  }

  void PrintValueAndKeyword(const Expression& value, bool negated, std::string_view keyword) {
    Print(value, Precedence::kPredicate);
    if (negated) out_ += " NOT";
    PrintSpaced(keyword);
  }

  std::string& out_;
  const PrintStyle style_;
};

}  // namespace

void AppendExpression(std::string& out, const Expression& expression, Precedence floor,
                      PrintStyle style) {
  ExpressionPrinter(out, style).Print(expression, floor);
}

std::string PrintExpression(const Expression& expression) {
  std::string out;
  AppendExpression(out, expression);
  return out;
}

std::string PrintExpressionInFull(const Expression& expression) {
  std::string out;
  AppendExpression(out, expression, Precedence::kConditional,
                   {.is_full = expression.depth <= kFullDepthMax});
  return out;
}

bool IsPlainProperty(std::string_view name) {
  return !name.empty() && !query::IsDigit(name[0]) &&
         std::ranges::all_of(name, query::IsWordCharacter) && FindKeyword(name) == Keyword::kNone;
}

}  // namespace orrery::sql
