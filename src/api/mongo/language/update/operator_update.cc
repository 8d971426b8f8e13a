#include "api/mongo/language/update/operator_update.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "api/mongo/language/value/bson_type_name.h"
#include "api/mongo/language/value/field_path.h"
#include "api/mongo/language/value/print.h"
#include "model/document/document_builder.h"

namespace orrery::mongo {

using model::Field;
using model::Fields;
using model::Kind;
using model::Value;

namespace {

constexpr std::array<std::string_view, 15> kModifierNames = {
    "$set", "$unset",       "$inc",  "$mul",      "$min", "$max",  "$rename", "$setOnInsert",
    "$bit", "$currentDate", "$push", "$addToSet", "$pop", "$pull", "$pullAll"};

// The two halves of a $rename.
class RenameSource final : public Modifier {
 public:
  Answer<bool> Apply(Value& value, const ModifierSite&) const override {
    const bool was_there = !value.is_undefined();
    value = Value::Undefined();
    return was_there;
  }
  bool creates() const override { return false; }
  bool removes() const override { return true; }
};

class RenameTarget final : public Modifier {
 public:
  explicit RenameTarget(std::string source) : source_(std::move(source)) {}
  Answer<bool> Apply(Value&, const ModifierSite&) const override { return false; }
  const std::string* rename_source() const override { return &source_; }

 private:
  std::string source_;
};

Outcome CheckPath(const std::string& path, const std::vector<std::string>& steps) {
  if (path.empty()) return Refuse(ErrorCode::kEmptyFieldName, "An empty update path is not valid.");
  int positions = 0;
  for (size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].empty()) {
      return Refuse(ErrorCode::kEmptyFieldName,
                    fmt::format("The update path '{}' contains an empty field name, which is not "
                                "allowed.",
                                path));
    }
    if (steps[i] == "$" || steps[i].starts_with("$[")) {
      if (i == 0) {
        return Refuse(ErrorCode::kBadValue,
                      steps[i] == "$"
                          ? fmt::format("Cannot have positional (i.e. '$') element in the first "
                                        "position in path '{}'",
                                        path)
                          : fmt::format("Cannot have array filter identifier (i.e. '$[<id>]') "
                                        "element in the first position in path '{}'",
                                        path));
      }
      positions += steps[i] == "$" ? 1 : 0;
    } else if (steps[i].starts_with('$') && steps[i] != "$ref" && steps[i] != "$id" &&
               steps[i] != "$db") {
      return Refuse(ErrorCode::kDollarPrefixedFieldName,
                    fmt::format("The dollar ($) prefixed field '{}' in '{}' is not allowed in the "
                                "context of an update's replacement document. Consider using an "
                                "aggregation pipeline with $replaceWith.",
                                steps[i], path));
    }
  }
  if (positions > 1) {
    return Refuse(ErrorCode::kBadValue,
                  fmt::format("Too many positional (i.e. '$') elements found in path '{}'", path));
  }
  return {};
}

// The identifier that an array filter is about: the first step of its paths.
std::optional<std::string> IdentifierOf(const Fields& filter) {
  for (const Field& field : filter) {
    if (!field.name.starts_with('$')) return SplitPath(field.name).front();
    if (field.value.kind() != Kind::kArray) continue;
    for (const Value& entry : field.value.AsValues()) {
      if (entry.kind() != Kind::kObject) continue;
      if (std::optional<std::string> found = IdentifierOf(entry.AsFields())) return found;
    }
  }
  return std::nullopt;
}

Answer<ArrayFilters> ParseArrayFilters(const std::vector<model::Document>& filters,
                                       const QueryContextPtr& context) {
  ArrayFilters parsed;
  for (const model::Document& filter : filters) {
    const Value value = filter.view().ToObject();
    if (value.AsFields().empty()) {
      return Refuse(ErrorCode::kFailedToParse,
                    "Cannot use an expression without a top-level field name in arrayFilters");
    }
    const std::optional<std::string> identifier = IdentifierOf(value.AsFields());
    if (!identifier.has_value()) {
      return Refuse(ErrorCode::kFailedToParse,
                    "Cannot use an expression without a top-level field name in arrayFilters");
    }
    for (const Field& field : value.AsFields()) {
      const std::optional<std::string> other = IdentifierOf({field});
      if (other.has_value() && *other != *identifier) {
        return Refuse(ErrorCode::kFailedToParse,
                      fmt::format("Error parsing array filter :: caused by :: Expected a single "
                                  "top-level field name, found '{}' and '{}'",
                                  *identifier, *other));
      }
    }
    const bool is_valid =
        !identifier->empty() && std::islower(identifier->front()) != 0 &&
        std::ranges::all_of(*identifier, [](unsigned char c) { return std::isalnum(c) != 0; });
    if (!is_valid) {
      return Refuse(ErrorCode::kBadValue,
                    fmt::format("Error parsing array filter :: caused by :: The top-level field "
                                "name must be an alphanumeric string beginning with a lowercase "
                                "letter, found '{}'",
                                *identifier));
    }
    if (parsed.contains(*identifier)) {
      return Refuse(
          ErrorCode::kFailedToParse,
          fmt::format("Found multiple array filters with the same top-level field name {}",
                      *identifier));
    }
    Answer<MatcherPtr> matcher = Matcher::Parse(filter, context, {.near = false, .text = false});
    if (!matcher.has_value()) {
      return std::unexpected(
          std::move(matcher).error().Prefixed("Error parsing array filter :: caused by :: "));
    }
    parsed.emplace(*identifier, *std::move(matcher));
  }
  return parsed;
}

}  // namespace

bool IsModifierName(std::string_view name) {
  return std::ranges::find(kModifierNames, name) != kModifierNames.end();
}

Answer<ModifierPtr> ParseModifier(const std::string& name, const std::string& path,
                                  const Value& operand, const QueryContext& context) {
  MONGO_ASSIGN(ModifierPtr modifier, ParseFieldModifier(name, path, operand, context));
  if (modifier == nullptr) {
    MONGO_ASSIGN(modifier, ParseArrayModifier(name, path, operand, context));
  }
  return modifier;
}

Answer<UpdatePtr> OperatorUpdate::Parse(const Fields& operators,
                                        const std::vector<model::Document>& array_filters,
                                        QueryContextPtr context) {
  auto update = std::make_shared<OperatorUpdate>();
  update->context_ = std::move(context);
  MONGO_ASSIGN(update->filters_, ParseArrayFilters(array_filters, update->context_));
  for (const Field& field : operators) MONGO_TRY(update->AddOperator(field.name, field.value));
  MONGO_TRY(update->CheckFilters(operators));
  return update;
}

Outcome OperatorUpdate::AddOperator(const std::string& name, const Value& fields) {
  if (!IsModifierName(name)) {
    return Refuse(ErrorCode::kFailedToParse,
                  fmt::format("Unknown modifier: {}. Expected a valid update modifier or "
                              "pipeline-style update specified as an array",
                              name));
  }
  if (fields.kind() != Kind::kObject) {
    return Refuse(ErrorCode::kFailedToParse,
                  fmt::format("Modifiers operate on fields but we found type {} instead. For "
                              "example: {{$mod: {{<field>: ...}}}} not {{{}}}",
                              BsonTypeName(fields.kind()), PrintElement(name, fields)));
  }
  for (const Field& field : fields.AsFields()) MONGO_TRY(AddPath(name, field.name, field.value));
  return {};
}

Outcome OperatorUpdate::AddPath(const std::string& name, const std::string& path,
                                const Value& operand) {
  const std::vector<std::string> steps = SplitPath(path);
  MONGO_TRY(CheckPath(path, steps));
  for (const std::string& step : steps) {
    has_position_ = has_position_ || step == "$";
    if (!step.starts_with("$[") || step == "$[]") continue;
    const std::string identifier = step.substr(2, step.size() - 3);
    if (!filters_.contains(identifier)) {
      return Refuse(
          ErrorCode::kBadValue,
          fmt::format("No array filter found for identifier '{}' in path '{}'", identifier, path));
    }
    used_filters_.push_back(identifier);
  }
  if (name != "$rename") {
    MONGO_ASSIGN(ModifierPtr modifier, ParseModifier(name, path, operand, *context_));
    return AddModifier(root_, steps, std::move(modifier));
  }
  MONGO_TRY(AddModifier(root_, steps, std::make_shared<RenameSource>()));
  if (operand.kind() != Kind::kString) {
    return Refuse(ErrorCode::kBadValue,
                  fmt::format("The 'to' field for $rename must be a string: {}",
                              PrintElement(path, operand)));
  }
  const std::string& target = operand.AsString();
  const std::vector<std::string> target_steps = SplitPath(target);
  MONGO_TRY(CheckPath(target, target_steps));
  if (target == path) {
    return Refuse(ErrorCode::kBadValue,
                  fmt::format("The source and target field for $rename must differ: {}",
                              PrintElement(path, operand)));
  }
  if (target.starts_with(path + ".") || path.starts_with(target + ".")) {
    return Refuse(ErrorCode::kBadValue,
                  fmt::format("The source and target field for $rename must not be on the same "
                              "path: {}",
                              PrintElement(path, operand)));
  }
  const auto is_dynamic = [](const std::string& step) { return step.starts_with('$'); };
  if (std::ranges::any_of(steps, is_dynamic)) {
    return Refuse(ErrorCode::kBadValue,
                  fmt::format("The source field for $rename may not be dynamic: {}", path));
  }
  if (std::ranges::any_of(target_steps, is_dynamic)) {
    return Refuse(ErrorCode::kBadValue,
                  fmt::format("The destination field for $rename may not be dynamic: {}", target));
  }
  return AddModifier(root_, target_steps, std::make_shared<RenameTarget>(path));
}

Outcome OperatorUpdate::CheckFilters(const Fields& operators) const {
  for (const auto& [identifier, filter] : filters_) {
    if (std::ranges::find(used_filters_, identifier) != used_filters_.end()) continue;
    return Refuse(ErrorCode::kFailedToParse,
                  fmt::format("The array filter for identifier '{}' was not used in the update {}",
                              identifier, PrintBson(Value::Object(operators))));
  }
  return {};
}

Answer<UpdateOutcome> OperatorUpdate::Apply(model::DocumentView current,
                                            const MatchDetails& details,
                                            const UpdateContext& context) const {
  const Value original = current.ToObject();
  Value changed = original;
  UpdateApplier applier(original, filters_, details, context);
  MONGO_ASSIGN(const bool is_modified, applier.Apply(root_, changed));
  if (!is_modified) {
    return UpdateOutcome{model::Document::Trusted(std::string(current.bson())), false};
  }
  std::vector<std::string> immutable = context.immutable_paths;
  immutable.emplace_back("_id");
  for (const std::string& path : immutable) {
    const Value* before = &original;
    const Value* after = &changed;
    for (const std::string& step : SplitPath(path)) {
      before = before == nullptr ? nullptr : before->Find(step);
      after = after == nullptr ? nullptr : after->Find(step);
    }
    if (before == nullptr || (after != nullptr && *before == *after)) continue;
    return Refuse(ErrorCode::kImmutableField,
                  fmt::format("Performing an update on the path '{}' would modify the immutable "
                              "field '{}'",
                              path, path));
  }
  return UpdateOutcome{model::ToDocument(changed), true, applier.TakeTouched()};
}

}  // namespace orrery::mongo
