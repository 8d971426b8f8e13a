#include "api/sql/query/computed/computed_definition.h"

#include <fmt/format.h>

#include <optional>
#include <set>
#include <utility>

#include "api/sql/document/document_form.h"
#include "api/sql/evaluate/binder.h"
#include "api/sql/parser/parser.h"
#include "api/sql/query/bind/tree_walk.h"

namespace orrery::sql {
namespace {

using model::Kind;
using model::Value;

using Names = std::set<std::string, std::less<>>;

std::unexpected<QueryError> Refuse(std::string_view text, SourceRange range, std::string message) {
  return std::unexpected(ErrorAt(text, range, kComputedDefinitionCode, std::move(message)));
}

// The clause of the query that may not stand in a definition; nothing when there is none.
std::optional<std::string_view> ForeignClause(const ast::Query& query) {
  if (query.select.is_distinct) return "DISTINCT";
  if (query.select.top.has_value()) return "TOP";
  if (query.sources.size() > 1) return "JOIN";
  if (query.where.has_value()) return "WHERE";
  if (!query.group_by.empty()) return "GROUP BY";
  if (query.order_by.has_value()) return "ORDER BY";
  if (query.offset_limit.has_value()) return "OFFSET LIMIT";
  return std::nullopt;
}

// Looks for calls whose results are not a document's own.
class CallChecker {
 public:
  CallChecker(std::string_view text, const FunctionRegistry& functions)
      : text_(text), functions_(functions) {}

  Parsed<void> Check(const ast::Expression& expression) const {
    if (const auto* call = expression.As<ast::FunctionCall>()) {
      Parsed<void> checked = CheckCall(expression.range, *call);
      if (!checked.has_value()) return checked;
    }
    if (expression.As<ast::Subquery>() != nullptr)
      return Refuse(text_, expression.range, "A computed property cannot have subqueries.");
    Parsed<void> checked;
    ForEachChild(
        expression,
        [&](const ast::Expression& child) {
          if (checked.has_value()) checked = Check(child);
        },
        [](const ast::Query&) {});
    return checked;
  }

 private:
  Parsed<void> CheckCall(SourceRange range, const ast::FunctionCall& call) const {
    if (call.is_user_defined)
      return Refuse(text_, range, "A computed property cannot call user-defined functions.");
    const Function* function = functions_.Find(call.function.text);
    if (function == nullptr) return {};
    if (function->purity == Function::Purity::kVolatile) {
      return Refuse(text_, range,
                    fmt::format("A computed property cannot call {}, whose value is not the same "
                                "each time.",
                                function->name));
    }
    if (function->name.starts_with("ST_")) {
      return Refuse(
          text_, range,
          fmt::format("A computed property cannot call the spatial function {}.", function->name));
    }
    return {};
  }

  const std::string_view text_;
  const FunctionRegistry& functions_;
};

// The name of another computed property that the expression uses.
std::optional<std::string> UsedName(const ast::Expression& expression, std::string_view alias,
                                    const Names& names) {
  if (const auto* property = expression.As<ast::PropertyAccess>()) {
    const auto* object = property->object->As<ast::Identifier>();
    if (object != nullptr && object->name == alias && names.contains(property->name))
      return property->name;
  }
  std::optional<std::string> used;
  ForEachChild(
      expression,
      [&](const ast::Expression& child) {
        if (!used.has_value()) used = UsedName(child, alias, names);
      },
      [](const ast::Query&) {});
  return used;
}

// Checks the properties of one container, which knows where each stands.
class PropertyChecker {
 public:
  PropertyChecker(const model::Values& properties, const FunctionRegistry& functions)
      : properties_(properties), functions_(functions) {}

  Status Check() {
    for (size_t i = 0; i < properties_.size(); ++i) ORRERY_TRY(CheckName(i));
    for (size_t i = 0; i < properties_.size(); ++i) ORRERY_TRY(CheckDefinition(i));
    return {};
  }

 private:
  static std::unexpected<Error> Bad(size_t i, std::string_view what) {
    return Fail(Code::kInvalidArgument, fmt::format("computedProperties[{}]: {}", i, what));
  }
  static std::unexpected<Error> Bad(size_t i, const QueryError& error) {
    return Bad(
        i, fmt::format("the query is wrong at {}..{}: {}", error.start, error.end, error.message));
  }

  Status CheckName(size_t i) {
    const Value* name = properties_[i].Find("name");
    const Value* query = properties_[i].Find("query");
    if (name == nullptr || name->kind() != Kind::kString || name->AsString().empty())
      return Bad(i, "it needs a 'name'");
    if (query == nullptr || query->kind() != Kind::kString) return Bad(i, "it needs a 'query'");
    const std::string& text = name->AsString();
    if (text == "id" || IsSystemProperty(text))
      return Bad(i, fmt::format("the name '{}' is a system property's", text));
    if (!names_.insert(text).second)
      return Bad(i, fmt::format("the name '{}' is another computed property's already", text));
    return {};
  }

  Status CheckDefinition(size_t i) const {
    const std::string& text = properties_[i].Find("query")->AsString();
    const auto definition = ParseComputedDefinition(text, functions_);
    if (!definition.has_value()) return Bad(i, definition.error());
    Scope scope;
    scope.Add(definition->alias, 0);
    const auto bound =
        Bind(definition->value,
             {.text = text, .scope = scope, .parameters = Parameters(), .functions = functions_});
    if (!bound.has_value()) return Bad(i, bound.error());
    Names others = names_;
    others.erase(properties_[i].Find("name")->AsString());
    const auto used = UsedName(definition->value, definition->alias, others);
    if (used.has_value())
      return Bad(i, fmt::format("it cannot use '{}', which is computed itself", *used));
    return {};
  }

  const model::Values& properties_;
  const FunctionRegistry& functions_;
  Names names_;
};

}  // namespace

Parsed<ComputedDefinition> ParseComputedDefinition(std::string_view text,
                                                   const FunctionRegistry& functions) {
  Parsed<ast::Query> query = ParseQuery(text);
  if (!query.has_value()) return std::unexpected(std::move(query).error());
  auto* value = std::get_if<ast::SelectValue>(&query->select.what);
  if (value == nullptr) return Refuse(text, {}, "A computed property needs SELECT VALUE.");
  if (const auto clause = ForeignClause(*query))
    return Refuse(text, {}, fmt::format("A computed property cannot have {}.", *clause));
  const ast::Identifier* container = nullptr;
  if (!query->sources.empty() && !query->sources.front().is_iterated) {
    const auto* collection = std::get_if<ast::Expression>(&query->sources.front().collection);
    if (collection != nullptr) container = collection->As<ast::Identifier>();
  }
  if (container == nullptr)
    return Refuse(text, {}, "A computed property needs FROM with the name of the document alone.");
  Parsed<void> checked = CallChecker(text, functions).Check(value->value);
  if (!checked.has_value()) return std::unexpected(std::move(checked).error());
  const auto& alias = query->sources.front().alias;
  return ComputedDefinition{alias.has_value() ? alias->text : container->name,
                            std::move(value->value)};
}

Status CheckComputedProperties(const Value& json, const FunctionRegistry& functions) {
  if (json.is_undefined() || json.is_null()) return {};
  if (json.kind() != Kind::kArray)
    return Fail(Code::kInvalidArgument,
                "One of the specified inputs is invalid: 'computedProperties' must be an array");
  if (json.AsValues().size() > kComputedPropertiesMax) {
    return Fail(Code::kInvalidArgument,
                fmt::format("computedProperties: there may be {} of them", kComputedPropertiesMax));
  }
  return PropertyChecker(json.AsValues(), functions).Check();
}

}  // namespace orrery::sql
