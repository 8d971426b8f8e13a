#include "api/sql/query/condition/document_paths.h"

#include <utility>

#include "api/sql/query/bind/select_names.h"
#include "api/sql/query/bind/tree_walk.h"

namespace orrery::sql {

std::optional<query::DocumentPath> PathOf(const ast::Expression& expression,
                                          const AliasPaths& aliases) {
  if (const auto* identifier = expression.As<ast::Identifier>()) {
    const auto found = aliases.find(identifier->name);
    if (found == aliases.end()) return std::nullopt;
    return found->second;
  }
  const auto* property = expression.As<ast::PropertyAccess>();
  if (property == nullptr) return std::nullopt;
  const auto object = PathOf(*property->object, aliases);
  if (!object.has_value()) return std::nullopt;
  return object->Field(property->name);
}

const ast::Query* ReaderOf(const ast::Query& query) {
  const ast::Query* at = &query;
  while (!at->sources.empty()) {
    const auto* inner = std::get_if<ast::QueryPtr>(&at->sources.front().collection);
    if (inner == nullptr)
      return RootOf(std::get<ast::Expression>(at->sources.front().collection)) == nullptr ? nullptr
                                                                                          : at;
    at = inner->get();
  }
  return nullptr;
}

AliasPaths AliasPathsOf(const ast::Query& reader) {
  AliasPaths aliases;
  const ast::Source& source = reader.sources.front();
  const auto& collection = std::get<ast::Expression>(source.collection);
  const ast::Identifier* root = RootOf(collection);
  const AliasPaths container = {{root->name, query::DocumentPath()}};
  std::optional<query::DocumentPath> path = PathOf(collection, container);
  if (path.has_value()) {
    if (source.is_iterated) path = path->Element();
    const std::string alias =
        source.alias.has_value() ? source.alias->text : std::string(ImpliedAlias(collection));
    aliases.emplace(alias, *std::move(path));
  }
  AddSourcePaths(reader, 1, aliases);
  return aliases;
}

void AddSourcePaths(const ast::Query& query, size_t first, AliasPaths& aliases) {
  for (size_t i = first; i < query.sources.size(); ++i) {
    const ast::Source& source = query.sources[i];
    const auto* collection = std::get_if<ast::Expression>(&source.collection);
    std::optional<query::DocumentPath> path;
    if (collection != nullptr) path = PathOf(*collection, aliases);
    if (path.has_value() && source.is_iterated) path = path->Element();
    std::string alias;
    if (source.alias.has_value()) {
      alias = source.alias->text;
    } else if (collection != nullptr) {
      alias = ImpliedAlias(*collection);
    }
    // An alias that means something else now hides the former.
    aliases.erase(alias);
    if (path.has_value()) aliases.emplace(std::move(alias), *std::move(path));
  }
}

}  // namespace orrery::sql
