#include "query/predicate/document_path.h"

#include <algorithm>
#include <utility>

#include "model/path/path_pattern.h"

namespace orrery::query {

DocumentPath DocumentPath::At(const model::Path& path) {
  DocumentPath at;
  for (const std::string& step : path.steps()) at.steps.push_back({step, false});
  return at;
}

bool DocumentPath::has_elements() const {
  return std::ranges::any_of(steps, [](const Step& step) { return step.is_element; });
}

DocumentPath DocumentPath::Field(std::string name) const {
  DocumentPath below = *this;
  below.steps.push_back({std::move(name), false});
  return below;
}

DocumentPath DocumentPath::Element() const {
  DocumentPath below = *this;
  below.steps.push_back({{}, true});
  return below;
}

DocumentPath DocumentPath::Types() const {
  DocumentPath types = *this;
  types.of_types = true;
  return types;
}

bool DocumentPath::IsAt(std::span<const std::string> path) const {
  return !of_types &&
         std::ranges::equal(steps, path, [](const Step& step, const std::string& name) {
           return !step.is_element && step.name == name;
         });
}

std::optional<item::IndexId> DocumentPath::IndexOf(const item::ContainerSchema& schema) const {
  std::vector<model::PathStep> path;
  for (const Step& step : steps)
    path.push_back(step.is_element ? model::PathStep::Element()
                                   : model::PathStep::Field(step.name));
  if (path.empty() || !schema.indexing.Indexes(path)) return std::nullopt;
  if (schema.former_indexing.has_value() && !schema.former_indexing->Indexes(path))
    return std::nullopt;
  if (!of_types) return item::PathIndexId(path);
  if (has_elements() || !schema.indexing.has_type_index()) return std::nullopt;
  return item::KindIndexId(path);
}

bool DocumentPath::IsIndexedWhenAbsent(const item::ContainerSchema& schema) const {
  const auto is_named = [&](const item::IndexPolicy& policy) {
    return std::ranges::any_of(policy.exact(),
                               [&](const item::ExactPlace& exact) { return IsAt(exact.fields); });
  };
  return is_named(schema.indexing) &&
         (!schema.former_indexing.has_value() || is_named(*schema.former_indexing));
}

model::Value DocumentPath::Get(model::DocumentView document) const {
  for (size_t i = 0; i < steps.size(); ++i) {
    const auto found = document.Find(steps[i].name);
    if (!found.has_value()) break;
    if (i + 1 == steps.size()) return found->ToValue();
    if (found->kind() != model::Kind::kObject) break;
    document = found->AsDocument();
  }
  return model::Value::Undefined();
}

std::string DocumentPath::ToString() const {
  std::string text;
  for (const Step& step : steps) text += "/" + (step.is_element ? "[]" : step.name);
  return text;
}

}  // namespace orrery::query
