#include "api/sql/query/bind/vector_defaults.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "api/sql/parser/parser.h"
#include "api/sql/query/bind/order_direction.h"
#include "api/sql/query/bind/tree_walk.h"
#include "model/expression/letter_case.h"
#include "model/path/path.h"

namespace orrery::sql {
namespace {

using model::Kind;
using model::Value;

constexpr std::string_view kDistance = "distanceFunction";

const std::string* TextAt(const Value& object, std::string_view name) {
  const Value* value = object.Find(name);
  return value == nullptr || value->kind() != Kind::kString ? nullptr : &value->AsString();
}

// Returns whether the expression is the path of documents that these steps lead to.
bool IsAt(const ast::Expression& expression, const std::vector<std::string>& steps) {
  const ast::Expression* at = &expression;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    const auto* property = at->As<ast::PropertyAccess>();
    if (property == nullptr || property->name != *step) return false;
    at = property->object.get();
  }
  return at->As<ast::Identifier>() != nullptr;
}

}  // namespace

VectorDefaults::VectorDefaults(const Value& policy) {
  const Value* list = policy.kind() == Kind::kObject ? policy.Find("vectorEmbeddings") : nullptr;
  if (list == nullptr || list->kind() != Kind::kArray) return;
  for (const Value& entry : list->AsValues()) {
    if (entry.kind() != Kind::kObject) continue;
    const std::string* text = TextAt(entry, "path");
    const std::string* distance = TextAt(entry, kDistance);
    if (text == nullptr || distance == nullptr || model::ToLowerCase(*distance) == "cosine")
      continue;
    const auto path = model::Path::Parse(*text);
    if (path.has_value()) embeddings_.push_back({.steps = path->steps(), .distance = *distance});
  }
}

void VectorDefaults::ApplyTo(ast::Query& query) const {
  if (embeddings_.empty()) return;
  ForEachClause(query, [this](ast::Expression& expression) { Visit(expression); });
  for (ast::Source& source : query.sources) {
    if (auto* expression = std::get_if<ast::Expression>(&source.collection)) Visit(*expression);
    if (auto* inner = std::get_if<ast::QueryPtr>(&source.collection)) ApplyTo(**inner);
  }
}

void VectorDefaults::Visit(ast::Expression& expression) const {
  if (IsVectorDistance(expression)) Complete(expression);
  ForEachChild(
      expression, [this](ast::Expression& child) { Visit(child); },
      [this](ast::Query& query) { ApplyTo(query); });
}

void VectorDefaults::Complete(ast::Expression& expression) const {
  auto& arguments = std::get<ast::FunctionCall>(expression.node).arguments;
  if (arguments.size() < 2) return;
  const std::string* distance = DistanceAt(arguments[0]);
  if (distance == nullptr) distance = DistanceAt(arguments[1]);
  if (distance == nullptr) return;
  const auto make = [&expression](ast::Expression::Node node) {
    return ast::Expression{.range = expression.range, .node = std::move(node)};
  };
  if (arguments.size() == 2) arguments.push_back(make(ast::Boolean{false}));
  if (arguments.size() == 3) arguments.push_back(make(ast::ObjectConstructor()));
  auto* options = std::get_if<ast::ObjectConstructor>(&arguments[3].node);
  if (options == nullptr) return;
  if (std::ranges::find(options->properties, kDistance, &ast::ObjectProperty::name) !=
      options->properties.end())
    return;
  options->properties.push_back({std::string(kDistance), make(ast::String{*distance})});
}

const std::string* VectorDefaults::DistanceAt(const ast::Expression& expression) const {
  for (const Embedding& embedding : embeddings_)
    if (IsAt(expression, embedding.steps)) return &embedding.distance;
  return nullptr;
}

Parsed<ast::Query> ParseQueryWith(std::string_view text, const VectorDefaults& defaults) {
  Parsed<ast::Query> tree = ParseQuery(text);
  if (tree.has_value()) defaults.ApplyTo(*tree);
  return tree;
}

}  // namespace orrery::sql
