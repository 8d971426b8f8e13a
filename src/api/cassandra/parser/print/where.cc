#include <span>

#include "api/cassandra/parser/print/print.h"
#include "api/cassandra/parser/print/term_printer.h"

namespace orrery::cassandra {
namespace {

void AppendNames(std::string& out, std::span<const ast::Name> names) {
  out += '(';
  for (size_t i = 0; i < names.size(); ++i) {
    if (i > 0) out += ", ";
    out += PrintName(names[i].text);
  }
  out += ')';
}

struct LeftPrinter {
  std::string& out;

  void operator()(const ast::Name& column) const { out += PrintName(column.text); }
  void operator()(const ast::MapEntry& entry) const {
    out += PrintName(entry.column.text);
    out += '[';
    AppendTerm(out, entry.key);
    out += ']';
  }
  void operator()(const ast::ColumnTuple& tuple) const { AppendNames(out, tuple.columns); }
  void operator()(const ast::TokenOfColumns& token) const {
    out += "token";
    AppendNames(out, token.columns);
  }
  void operator()(const ast::FunctionCall& call) const { AppendFunctionCall(out, call); }
};

struct RightPrinter {
  std::string& out;

  void operator()(std::monostate) const {}
  void operator()(const ast::Term& term) const {
    out += ' ';
    AppendTerm(out, term);
  }
  void operator()(const std::vector<ast::Term>& terms) const {
    out += " (";
    for (size_t i = 0; i < terms.size(); ++i) {
      if (i > 0) out += ", ";
      AppendTerm(out, terms[i]);
    }
    out += ')';
  }
};

struct RestrictionPrinter {
  std::string& out;

  void operator()(const ast::Relation& relation) const {
    std::visit(LeftPrinter{out}, relation.left);
    out += ' ';
    out += ast::OperatorText(relation.op);
    std::visit(RightPrinter{out}, relation.right);
  }
  void operator()(const ast::IndexExpression& expression) const {
    out += "expr(";
    out += PrintName(expression.index.text);
    out += ", ";
    AppendTerm(out, expression.value);
    out += ')';
  }
};

}  // namespace

std::string PrintRelation(const ast::Relation& relation) {
  std::string text;
  RestrictionPrinter{text}(relation);
  return text;
}

std::string PrintWhere(const ast::WhereClause& where) {
  std::string text;
  for (const ast::Restriction& restriction : where) {
    if (!text.empty()) text += " AND ";
    std::visit(RestrictionPrinter{text}, restriction);
  }
  return text;
}

}  // namespace orrery::cassandra
