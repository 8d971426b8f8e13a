#include "api/sql/query/computed/computed_index.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "api/sql/evaluate/binder.h"
#include "api/sql/parser/parser.h"
#include "api/sql/query/computed/computed_definition.h"
#include "api/sql/query/source/seen_properties.h"
#include "model/document/document_builder.h"
#include "model/path/path_pattern.h"

namespace orrery::sql {
namespace {

struct Computed {
  std::string name;
  BoundExpressionPtr value;  // of the document in slot 0
};

// Definitions have no functions that would ask for any.
class NoRandom final : public RandomSource {
 public:
  double Next() override { return 0; }
};

class SqlComputedValues final : public item::ComputedValues {
 public:
  explicit SqlComputedValues(std::vector<Computed> computed) : computed_(std::move(computed)) {}

  model::Document AddTo(model::DocumentView document) const override {
    const model::Value whole = document.ToObject();
    model::DocumentBuilder builder;
    for (const model::ElementView element : document) {
      const bool is_hidden = std::ranges::any_of(
          computed_, [&](const Computed& computed) { return computed.name == element.name(); });
      if (!is_hidden) builder.Append(element.name(), element);
    }
    const ManualClock clock;
    NoRandom random;
    const CallContext calls{clock, random, Micros(0)};
    const model::Value* const slots[] = {&whole};
    const FrameContext frame_context(calls);
    Frame frame{slots, frame_context};
    for (const Computed& computed : computed_) {
      model::Value scratch;
      const auto value = computed.value->Evaluate(frame, scratch);
      if (value.has_value() && !(*value)->is_undefined()) builder.Append(computed.name, **value);
    }
    return std::move(builder).Finish();
  }

 private:
  const std::vector<Computed> computed_;
};

bool IsNamed(const std::string& name, const gateway::IndexingSettings& indexing) {
  const auto root = model::PathPattern::Parse("/*");
  const model::PathStep place[] = {model::PathStep::Field(name)};
  const bool is_included =
      std::ranges::any_of(indexing.included_paths, [&](const std::string& text) {
        const auto pattern = model::PathPattern::Parse(text);
        return pattern.has_value() && *pattern != *root && pattern->CanMatchBelow(place);
      });
  return is_included || std::ranges::any_of(indexing.named, [&](const item::NamedIndex& index) {
           return std::ranges::any_of(index.paths, [&](const model::Path& path) {
             return !path.steps().empty() && path.steps().front() == name;
           });
         });
}

}  // namespace

Result<std::shared_ptr<const item::ComputedValues>> SqlComputedMaker::Make(
    const std::vector<item::ComputedDefinition>& definitions) const {
  std::vector<Computed> computed;
  for (const item::ComputedDefinition& each : definitions) {
    auto definition = ParseComputedDefinition(each.definition, functions_);
    if (!definition.has_value()) return Fail(Code::kInvalidArgument, definition.error().message);
    Scope scope;
    scope.Add(definition->alias, 0);
    auto bound = Bind(definition->value, {.text = each.definition,
                                          .scope = scope,
                                          .parameters = Parameters(),
                                          .functions = functions_});
    if (!bound.has_value()) return Fail(Code::kInvalidArgument, bound.error().message);
    computed.push_back({each.name, *std::move(bound)});
  }
  return std::make_shared<const SqlComputedValues>(std::move(computed));
}

std::vector<item::ComputedDefinition> IndexedComputed(const model::Value& json,
                                                      const gateway::IndexingSettings& indexing) {
  std::vector<item::ComputedDefinition> indexed;
  for (const ComputedProperty& property : ComputedProperties(json).all()) {
    if (!IsNamed(property.name, indexing)) continue;
    const auto query = ParseQuery(property.query);
    if (!query.has_value() ||
        SeenPartOf(*query, kNoComputedProperties).properties == SeenProperties::kAll)
      continue;
    indexed.push_back({property.name, property.query});
  }
  return indexed;
}

}  // namespace orrery::sql
