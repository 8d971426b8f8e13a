#include "api/sql/query/index/place.h"

#include <algorithm>
#include <utility>

#include "api/sql/document/document_form.h"
#include "api/sql/query/bind/select_names.h"
#include "api/sql/query/bind/tree_walk.h"
#include "model/path/path_pattern.h"

namespace orrery::sql {

bool Place::has_elements() const {
  return std::ranges::any_of(steps, [](const Step& step) { return step.is_element; });
}

Place Place::Field(std::string name) const {
  Place below = *this;
  below.steps.push_back({std::move(name), false});
  return below;
}

Place Place::Element() const {
  Place below = *this;
  below.steps.push_back({{}, true});
  return below;
}

Place Place::Kinds() const {
  Place kinds = *this;
  kinds.of_kinds = true;
  return kinds;
}

bool Place::IsAt(std::span<const std::string> path) const {
  return !of_kinds &&
         std::ranges::equal(steps, path, [](const Step& step, const std::string& name) {
           return !step.is_element && step.name == name;
         });
}

std::optional<item::IndexId> Place::IndexOf(const item::ContainerSchema& schema) const {
  std::vector<model::PathStep> path;
  for (const Step& step : steps)
    path.push_back(step.is_element ? model::PathStep::Element()
                                   : model::PathStep::Field(step.name));
  if (path.empty() || !schema.indexing.Indexes(path)) return std::nullopt;
  if (schema.former_indexing.has_value() && !schema.former_indexing->Indexes(path))
    return std::nullopt;
  if (!of_kinds) return item::PathIndexId(path);
  if (has_elements() || !schema.indexing.has_kinds()) return std::nullopt;
  return item::KindIndexId(path);
}

bool Place::IsIndexedWhenAbsent(const item::ContainerSchema& schema) const {
  const auto is_named = [&](const item::IndexPolicy& policy) {
    return std::ranges::any_of(policy.exact(),
                               [&](const item::ExactPlace& exact) { return IsAt(exact.fields); });
  };
  return is_named(schema.indexing) &&
         (!schema.former_indexing.has_value() || is_named(*schema.former_indexing));
}

model::Value Place::Get(model::DocumentView document) const {
  for (size_t i = 0; i < steps.size(); ++i) {
    const auto found = document.Find(steps[i].name);
    if (!found.has_value()) break;
    if (i + 1 == steps.size()) return found->ToValue();
    if (found->kind() != model::Kind::kObject) break;
    document = found->AsDocument();
  }
  return model::Value::Undefined();
}

bool IsIndexable(const Place& place) {
  return !place.steps.empty() &&
         (!IsSystemProperty(place.steps.front().name) || place.steps.front().name == kTimeProperty);
}

std::optional<Place> PlaceOf(const ast::Expression& expression, const Places& aliases) {
  if (const auto* identifier = expression.As<ast::Identifier>()) {
    const auto found = aliases.find(identifier->name);
    if (found == aliases.end()) return std::nullopt;
    return found->second;
  }
  const auto* property = expression.As<ast::PropertyAccess>();
  if (property == nullptr) return std::nullopt;
  const auto object = PlaceOf(*property->object, aliases);
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

Places DocumentPlaces(const ast::Query& reader) {
  Places places;
  const ast::Source& source = reader.sources.front();
  const auto& collection = std::get<ast::Expression>(source.collection);
  const ast::Identifier* root = RootOf(collection);
  const Places container = {{root->name, Place()}};
  std::optional<Place> place = PlaceOf(collection, container);
  if (place.has_value()) {
    if (source.is_iterated) place = place->Element();
    const std::string alias =
        source.alias.has_value() ? source.alias->text : std::string(ImpliedAlias(collection));
    places.emplace(alias, *std::move(place));
  }
  AddSourcePlaces(reader, 1, places);
  return places;
}

void AddSourcePlaces(const ast::Query& query, size_t first, Places& places) {
  for (size_t i = first; i < query.sources.size(); ++i) {
    const ast::Source& source = query.sources[i];
    const auto* collection = std::get_if<ast::Expression>(&source.collection);
    std::optional<Place> place;
    if (collection != nullptr) place = PlaceOf(*collection, places);
    if (place.has_value() && source.is_iterated) place = place->Element();
    std::string alias;
    if (source.alias.has_value()) {
      alias = source.alias->text;
    } else if (collection != nullptr) {
      alias = ImpliedAlias(*collection);
    }
    // An alias that means something else now hides the former.
    places.erase(alias);
    if (place.has_value()) places.emplace(std::move(alias), *std::move(place));
  }
}

}  // namespace orrery::sql
