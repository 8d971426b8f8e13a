#include <fmt/format.h>

#include <span>

#include "api/cassandra/parser/print/print.h"
#include "api/cassandra/parser/print/term_printer.h"
#include "api/cassandra/parser/token/keyword.h"

namespace orrery::cassandra {
namespace {

std::string_view OperatorSign(ast::ArithmeticOperator op) {
  constexpr std::string_view kSigns[] = {" + ", " - ", " * ", " / ", " % "};
  return kSigns[static_cast<size_t>(op)];
}

std::string_view AttributeName(ast::CellAttributeKind kind) {
  constexpr std::string_view kNames[] = {"writetime", "maxwritetime", "ttl"};
  return kNames[static_cast<size_t>(kind)];
}

// Some words are good names for anything but a function, and some the other way round.
std::string PrintFunctionName(const ast::QualifiedName& function) {
  const Keyword keyword = FindKeyword(function.name.text);
  std::string name = PrintName(function.name.text);
  if (keyword == Keyword::kToken || keyword == Keyword::kCount) {
    name = function.name.text;
  } else if (keyword != Keyword::kNone && ClassOf(keyword) == KeywordClass::kNotFunction) {
    name = fmt::format("\"{}\"", function.name.text);
  }
  return function.keyspace.empty() ? name : PrintName(function.keyspace) + '.' + name;
}

bool EndsInConstant(const ast::Term& term) {
  if (const auto* hint = term.As<ast::TypeHint>()) return EndsInConstant(*hint->term);
  if (const auto* negation = term.As<ast::Negation>()) return EndsInConstant(*negation->term);
  return term.As<ast::Constant>() != nullptr;
}

// Appends to one string, so that a deep tree costs no copies.
class TermPrinter {
 public:
  explicit TermPrinter(std::string& out) : out_(out) {}

  void Print(const ast::Term& term) { std::visit(*this, term.node); }

  void operator()(const ast::Null&) { out_ += "NULL"; }
  void operator()(const ast::Constant& constant) {
    out_ +=
        constant.kind == ast::ConstantKind::kString ? PrintString(constant.text) : constant.text;
  }
  void operator()(const ast::BindMarker& marker) {
    out_ += marker.name.empty() ? "?" : ":" + PrintName(marker.name);
  }
  void operator()(const ast::ListLiteral& list) { PrintList('[', list.elements, ']'); }
  void operator()(const ast::SetLiteral& set) { PrintList('{', set.elements, '}'); }
  void operator()(const ast::TupleLiteral& tuple) { PrintList('(', tuple.elements, ')'); }
  void operator()(const ast::MapLiteral& map) {
    out_ += '{';
    for (size_t i = 0; i < map.entries.size(); ++i) {
      if (i > 0) out_ += ", ";
      Print(map.entries[i].key);
      out_ += ": ";
      Print(map.entries[i].value);
    }
    out_ += '}';
  }
  void operator()(const ast::UdtLiteral& literal) {
    out_ += '{';
    for (size_t i = 0; i < literal.fields.size(); ++i) {
      if (i > 0) out_ += ", ";
      out_ += PrintName(literal.fields[i].name.text);
      out_ += ": ";
      Print(literal.fields[i].value);
    }
    out_ += '}';
  }
  void operator()(const ast::TypeHint& hint) {
    out_ += fmt::format("({})", PrintType(hint.type));
    Print(*hint.term);
  }
  void operator()(const ast::Cast& cast) {
    out_ += "cast(";
    Print(*cast.term);
    out_ += fmt::format(" as {})", ast::NativeTypeName(cast.type));
  }
  void operator()(const ast::FunctionCall& call) {
    out_ += PrintFunctionName(call.function);
    PrintList('(', call.arguments, ')');
  }
  void operator()(const ast::CountRows&) { out_ += "count(*)"; }
  void operator()(const ast::Arithmetic& arithmetic) {
    Print(*arithmetic.left);
    out_ += OperatorSign(arithmetic.op);
    Print(*arithmetic.right);
  }
  void operator()(const ast::Negation& negation) {
    out_ += '-';
    const size_t operand = out_.size();
    Print(*negation.term);
    // A minus that touches a digit belongs to the number, and two minuses start a comment.
    const char first = out_[operand];
    if (first == '-' || first == '.' || (first >= '0' && first <= '9'))
      out_.insert(operand, 1, ' ');
  }
  void operator()(const ast::ColumnReference& column) { out_ += PrintName(column.name); }
  void operator()(const ast::FieldAccess& access) {
    Print(*access.value);
    // Behind digits a point would make them another number.
    if (EndsInConstant(*access.value)) out_ += ' ';
    out_ += '.';
    out_ += PrintName(access.field.text);
  }
  void operator()(const ast::ElementAccess& access) {
    Print(*access.collection);
    out_ += '[';
    Print(*access.key);
    out_ += ']';
  }
  void operator()(const ast::SliceAccess& access) {
    Print(*access.collection);
    out_ += '[';
    if (access.from) Print(*access.from);
    // A dot that touches "1." belongs to it.
    if (out_.back() == '.') out_ += ' ';
    out_ += "..";
    if (access.to) Print(*access.to);
    out_ += ']';
  }
  void operator()(const ast::CellAttribute& attribute) {
    out_ += AttributeName(attribute.kind);
    out_ += '(';
    Print(*attribute.cell);
    out_ += ')';
  }

 private:
  void PrintList(char open, std::span<const ast::Term> terms, char close) {
    out_ += open;
    for (size_t i = 0; i < terms.size(); ++i) {
      if (i > 0) out_ += ", ";
      Print(terms[i]);
    }
    out_ += close;
  }

  std::string& out_;
};

}  // namespace

void AppendTerm(std::string& out, const ast::Term& term) { TermPrinter{out}.Print(term); }

void AppendFunctionCall(std::string& out, const ast::FunctionCall& call) { TermPrinter{out}(call); }

std::string PrintTerm(const ast::Term& term) {
  std::string text;
  AppendTerm(text, term);
  return text;
}

}  // namespace orrery::cassandra
