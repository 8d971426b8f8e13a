#include "api/cassandra/planner/select/selection_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "api/cassandra/parser/print/print.h"

namespace orrery::cassandra {
namespace {

char SymbolOf(ast::ArithmeticOperator op) {
  switch (op) {
    case ast::ArithmeticOperator::kAdd:
      return '+';
    case ast::ArithmeticOperator::kSubtract:
      return '-';
    case ast::ArithmeticOperator::kMultiply:
      return '*';
    case ast::ArithmeticOperator::kDivide:
      return '/';
    case ast::ArithmeticOperator::kModulo:
      return '%';
  }
  return '?';
}

// The terms directly inside.
std::vector<const ast::Term*> PartsOf(const ast::Term& term) {
  std::vector<const ast::Term*> parts;
  const auto add_all = [&parts](const std::vector<ast::Term>& terms) {
    for (const ast::Term& part : terms) parts.push_back(&part);
  };
  if (const auto* call = term.As<ast::FunctionCall>()) add_all(call->arguments);
  if (const auto* list = term.As<ast::ListLiteral>()) add_all(list->elements);
  if (const auto* set = term.As<ast::SetLiteral>()) add_all(set->elements);
  if (const auto* tuple = term.As<ast::TupleLiteral>()) add_all(tuple->elements);
  if (const auto* map = term.As<ast::MapLiteral>()) {
    for (const ast::MapLiteralEntry& entry : map->entries) {
      parts.push_back(&entry.key);
      parts.push_back(&entry.value);
    }
  }
  if (const auto* hint = term.As<ast::TypeHint>()) parts.push_back(hint->term.get());
  if (const auto* cast = term.As<ast::Cast>()) parts.push_back(cast->term.get());
  if (const auto* negation = term.As<ast::Negation>()) parts.push_back(negation->term.get());
  if (const auto* field = term.As<ast::FieldAccess>()) parts.push_back(field->value.get());
  if (const auto* element = term.As<ast::ElementAccess>())
    parts.push_back(element->collection.get());
  if (const auto* slice = term.As<ast::SliceAccess>()) parts.push_back(slice->collection.get());
  if (const auto* operation = term.As<ast::Arithmetic>()) {
    parts.push_back(operation->left.get());
    parts.push_back(operation->right.get());
  }
  return parts;
}

}  // namespace

std::string SelectionNames::NameOf(const ast::Term& term) const {
  if (const auto* column = term.As<ast::ColumnReference>()) return column->name;
  if (term.As<ast::CountRows>() != nullptr) return "count";
  if (const auto* call = term.As<ast::FunctionCall>()) return NameOfCall(*call);
  if (const auto* attribute = term.As<ast::CellAttribute>()) return NameOfAttribute(*attribute);
  if (const auto* cast = term.As<ast::Cast>()) return NameOfCast(*cast);
  if (const auto* operation = term.As<ast::Arithmetic>()) {
    return fmt::format("{} {} {}", NameOf(*operation->left), SymbolOf(operation->op),
                       NameOf(*operation->right));
  }
  if (const auto* negation = term.As<ast::Negation>()) return "-" + NameOf(*negation->term);
  if (const auto* field = term.As<ast::FieldAccess>())
    return fmt::format("{}.{}", NameOf(*field->value), field->field.text);
  if (const auto* element = term.As<ast::ElementAccess>())
    return fmt::format("{}[{}]", NameOf(*element->collection), PrintTerm(*element->key));
  if (const auto* slice = term.As<ast::SliceAccess>()) {
    return fmt::format("{}[{}..{}]", NameOf(*slice->collection),
                       slice->from == nullptr ? "" : PrintTerm(*slice->from),
                       slice->to == nullptr ? "" : PrintTerm(*slice->to));
  }
  if (const auto* hint = term.As<ast::TypeHint>())
    return fmt::format("({}){}", PrintType(hint->type), NameOf(*hint->term));
  return PrintTerm(term);
}

bool SelectionNames::CallsUserFunction(const ast::Term& term) const {
  const auto* call = term.As<ast::FunctionCall>();
  if (call != nullptr && !IsNative(call->function)) return true;
  return std::ranges::any_of(PartsOf(term),
                             [this](const ast::Term* part) { return CallsUserFunction(*part); });
}

bool SelectionNames::CallsUserFunction(const ast::WhereClause& where) const {
  const auto calls = [this](const ast::Term& term) { return CallsUserFunction(term); };
  for (const ast::Restriction& restriction : where) {
    const auto* relation = std::get_if<ast::Relation>(&restriction);
    if (relation == nullptr) continue;
    const auto* entry = std::get_if<ast::MapEntry>(&relation->left);
    const auto* term = std::get_if<ast::Term>(&relation->right);
    const auto* terms = std::get_if<std::vector<ast::Term>>(&relation->right);
    if ((entry != nullptr && calls(entry->key)) || (term != nullptr && calls(*term)) ||
        (terms != nullptr && std::ranges::any_of(*terms, calls))) {
      return true;
    }
  }
  return false;
}

bool SelectionNames::IsNative(const ast::QualifiedName& function) const {
  if (!function.keyspace.empty()) return function.keyspace == kNativeKeyspace;
  const std::string& name = function.name.text;
  return name == "token" || !native_.Overloads(name).empty() || !native_.Templates(name).empty();
}

std::string SelectionNames::NameOfCall(const ast::FunctionCall& call) const {
  const std::string& name = call.function.name.text;
  const bool is_native = IsNative(call.function);
  // count(1) counts rows, as count(*) does.
  if (is_native && name == "count" && call.arguments.size() == 1 &&
      call.arguments.front().As<ast::Constant>() != nullptr) {
    return "count";
  }
  std::string arguments;
  for (const ast::Term& argument : call.arguments) {
    if (!arguments.empty()) arguments += ", ";
    arguments += NameOf(argument);
  }
  std::string_view keyspace = call.function.keyspace;
  if (keyspace.empty()) keyspace = is_native ? kNativeKeyspace : keyspace_;
  return fmt::format("{}.{}({})", keyspace, name, arguments);
}

// A cast to the type that the term has is none, and has no name of its own either.
std::string SelectionNames::NameOfCast(const ast::Cast& cast) const {
  const TypePtr from = type_of_(*cast.term);
  const std::string_view to = ast::NativeTypeName(cast.type);
  if (from != nullptr && *from == *Type::NativeNamed(to)) return NameOf(*cast.term);
  return fmt::format("cast({} as {})", NameOf(*cast.term), to);
}

std::string SelectionNames::NameOfAttribute(const ast::CellAttribute& attribute) const {
  const std::string cell = NameOf(*attribute.cell);
  switch (attribute.kind) {
    case ast::CellAttributeKind::kWritetime:
      return fmt::format("writetime({})", cell);
    case ast::CellAttributeKind::kMaxWritetime:
      return fmt::format("maxwritetime({})", cell);
    case ast::CellAttributeKind::kTtl:
      return fmt::format("ttl({})", cell);
  }
  return cell;
}

}  // namespace orrery::cassandra
