#include "api/mongo/language/update/update_applier.h"

#include <fmt/core.h>

#include <algorithm>

#include "api/mongo/language/value/field_path.h"
#include "api/mongo/language/value/print.h"
#include "model/document/document_builder.h"

namespace orrery::mongo {

using model::Field;
using model::Fields;
using model::Kind;
using model::Value;
using model::Values;

namespace {

// Elements that an update may put between the end of an array and a new one.
constexpr size_t kPaddingMax = 1'500'000;

// Returns whether anything below makes fields that are not there.
bool Creates(const UpdateNode& node, bool is_insert) {
  if (node.leaf != nullptr) {
    return node.leaf->creates() && (is_insert || !node.leaf->is_on_insert());
  }
  const auto creates = [&](const auto& entry) { return Creates(*entry.second, is_insert); };
  return std::ranges::any_of(node.fields, creates) || std::ranges::any_of(node.elements, creates) ||
         (node.positional != nullptr && Creates(*node.positional, is_insert));
}

std::unexpected<MongoError> NotViable(std::string_view name, std::string_view field,
                                      const Value& value) {
  return Refuse(ErrorCode::kPathNotViable, fmt::format("Cannot create field '{}' in element {{{}}}",
                                                       name, PrintElement(field, value)));
}

bool HasPositional(const UpdateNode& node) {
  const auto has = [](const auto& entry) { return HasPositional(*entry.second); };
  return node.positional != nullptr || std::ranges::any_of(node.fields, has) ||
         std::ranges::any_of(node.elements, has);
}

std::unexpected<MongoError> NoArrayAt(const std::string& path) {
  return Refuse(
      ErrorCode::kBadValue,
      fmt::format("The path '{}' must exist in the document in order to apply array updates.",
                  path));
}

// The path of the first "$[]" below that comes before anything that makes a field; nullopt if there
// is none.
std::optional<std::string> ArrayBelow(const UpdateNode& node, const std::string& path,
                                      bool is_insert) {
  if (!node.elements.empty()) return path;
  for (const auto& [name, child] : node.fields) {
    if (auto found = ArrayBelow(*child, path + "." + name, is_insert)) return found;
    if (Creates(*child, is_insert)) return std::nullopt;
  }
  return std::nullopt;
}

// Returns whether something below works on an array that must be there ($pull, $pop).
bool NeedsArray(const UpdateNode& node) {
  if (node.leaf != nullptr) return !node.leaf->creates() && !node.leaf->removes();
  return std::ranges::any_of(node.fields,
                             [](const auto& entry) { return NeedsArray(*entry.second); });
}

Value IdOf(const Value& document) {
  const Value* id = document.Find("_id");
  return id == nullptr ? Value::Undefined() : *id;
}

}  // namespace

UpdateApplier::UpdateApplier(const Value& original, const ArrayFilters& filters,
                             const MatchDetails& details, const UpdateContext& context)
    : original_(original),
      id_(IdOf(original)),
      filters_(filters),
      details_(details),
      context_(context) {}

std::unexpected<MongoError> UpdateApplier::NotTraversable(const Site& site, std::string_view field,
                                                          const Value& value) {
  return Refuse(ErrorCode::kPathNotViable,
                fmt::format("Cannot use the part ({}) of ({}) to traverse the element ({{{}}})",
                            site.field, site.path, PrintElement(field, value)));
}

Answer<bool> UpdateApplier::Apply(const UpdateNode& root, Value& document) {
  if (!details_.array_index.has_value() && HasPositional(root)) {
    return Refuse(ErrorCode::kBadValue,
                  "The positional operator did not find the match needed from the query.");
  }
  return ApplyNode(root, document, {});
}

Answer<bool> UpdateApplier::ApplyNode(const UpdateNode& node, Value& value, const Site& site) {
  if (node.leaf != nullptr) return ApplyLeaf(*node.leaf, value, site);
  if (!node.elements.empty()) return ApplyElements(node, value, site);
  return ApplyFields(node, value, site);
}

Answer<Value> UpdateApplier::RenamedValue(const std::string& source) const {
  const Value* at = &original_;
  std::string part;
  std::optional<std::string> array;  // the innermost on the way
  for (const std::string& step : SplitPath(source)) {
    const std::optional<size_t> index =
        at->kind() == Kind::kArray ? IndexOfStep(step) : std::nullopt;
    if (index.has_value()) {
      array = part;
      if (*index >= at->AsValues().size()) return Value::Undefined();
      at = &at->AsValues()[*index];
    } else if (at->kind() == Kind::kObject) {
      at = at->Find(step);
      if (at == nullptr) return Value::Undefined();
    } else {
      return Refuse(ErrorCode::kPathNotViable,
                    fmt::format("cannot use the part ({} of {}) to traverse the element ({{{}}})",
                                part, source, PrintElement(part, *at)));
    }
    part = step;
  }
  if (array.has_value()) {
    return Refuse(ErrorCode::kBadValue,
                  fmt::format("The source field cannot be an array element, '{}' in doc with {} "
                              "has an array field called '{}'",
                              source, PrintElement("_id", id_), *array));
  }
  return *at;
}

Answer<bool> UpdateApplier::MakesFields(const UpdateNode& node) const {
  if (!Creates(node, context_.is_upsert)) return false;
  if (node.leaf != nullptr) {
    if (node.leaf->rename_source() == nullptr) return true;
    MONGO_ASSIGN(const Value source, RenamedValue(*node.leaf->rename_source()));
    return !source.is_undefined();
  }
  if (!node.elements.empty() || node.positional != nullptr) return true;
  for (const auto& [name, child] : node.fields) {
    MONGO_ASSIGN(const bool makes, MakesFields(*child));
    if (makes) return true;
  }
  return false;
}

Answer<bool> UpdateApplier::ApplyLeaf(const Modifier& modifier, Value& value, const Site& site) {
  if (modifier.is_on_insert() && !context_.is_upsert) return false;
  if (const std::string* source = modifier.rename_source()) {
    MONGO_ASSIGN(Value renamed, RenamedValue(*source));
    if (renamed.is_undefined()) return false;
    value = std::move(renamed);
    NoteTouched(site, false);
    return true;
  }
  if (value.is_undefined() && !modifier.creates()) return false;
  MONGO_ASSIGN(const bool is_changed,
               modifier.Apply(
                   value, {site.path, site.field, id_, context_.now_unix_ms, context_.timestamp}));
  if (is_changed) NoteTouched(site, modifier.appends());
  return is_changed;
}

void UpdateApplier::NoteTouched(const Site& site, bool is_append) {
  if (context_.tells_paths) touched_.push_back({site.path, is_append});
}

Answer<bool> UpdateApplier::ApplyFields(const UpdateNode& node, Value& value, const Site& site) {
  const bool was_absent = value.is_undefined();
  if (was_absent) value = Value::Object({});
  const UpdateNode* children = &node;
  UpdateNodePtr merged;
  if (node.positional != nullptr) {
    UpdateNode at_index;
    at_index.fields[std::to_string(*details_.array_index)] = node.positional;
    UpdateNode others = node;
    others.positional = nullptr;
    MONGO_ASSIGN(merged, MergeNodes(others, at_index, site.path));
    children = merged.get();
  }
  bool is_changed = false;
  for (const auto& [name, child] : children->fields) {
    const Site below{site.path.empty() ? name : site.path + "." + name, name};
    Answer<bool> changed = false;
    if (value.kind() == Kind::kObject) {
      changed = ApplyToField(*child, name, value, below);
    } else if (value.kind() == Kind::kArray) {
      changed = ApplyToIndex(*child, name, value, below, site);
    } else if (const auto array = ArrayBelow(*child, below.path, context_.is_upsert)) {
      return NoArrayAt(*array);
    } else {
      MONGO_ASSIGN(const bool makes, MakesFields(*child));
      if (makes) return NotViable(name, site.field, value);
      if (NeedsArray(*child)) return NotTraversable(below, site.field, value);
    }
    if (!changed.has_value()) return changed;
    is_changed = is_changed || *changed;
  }
  if (was_absent && value.AsFields().empty()) {
    value = Value::Undefined();
    return false;
  }
  return is_changed;
}

Answer<bool> UpdateApplier::ApplyToField(const UpdateNode& child, const std::string& name,
                                         Value& object, const Site& site) {
  Fields& fields = object.MutableFields();
  const auto found = std::ranges::find(fields, name, &Field::name);
  if (found != fields.end()) {
    MONGO_ASSIGN(const bool is_changed, ApplyNode(child, found->value, site));
    if (child.leaf != nullptr && child.leaf->removes() && is_changed) fields.erase(found);
    return is_changed;
  }
  Value created;
  MONGO_ASSIGN(const bool is_changed, ApplyNode(child, created, site));
  if (created.is_undefined()) return false;
  fields.push_back({name, std::move(created)});
  return is_changed;
}

Answer<bool> UpdateApplier::ApplyToIndex(const UpdateNode& child, const std::string& name,
                                         Value& array, const Site& site, const Site& array_site) {
  const std::optional<size_t> index = IndexOfStep(name);
  if (!index.has_value()) {
    if (const auto below = ArrayBelow(child, site.path, context_.is_upsert)) {
      return NoArrayAt(*below);
    }
    MONGO_ASSIGN(const bool makes, MakesFields(child));
    if (makes) return NotViable(name, array_site.field, array);
    if (NeedsArray(child)) return NotTraversable(site, array_site.field, array);
    return false;
  }
  Values& elements = array.MutableValues();
  if (child.leaf != nullptr && child.leaf->rename_source() != nullptr) {
    MONGO_ASSIGN(const Value source, RenamedValue(*child.leaf->rename_source()));
    if (source.is_undefined()) return false;
    return Refuse(ErrorCode::kBadValue,
                  fmt::format("The destination field cannot be an array element, '{}' in doc with "
                              "{} has an array field called '{}'",
                              site.path, PrintElement("_id", id_), array_site.field));
  }
  if (*index < elements.size()) {
    MONGO_ASSIGN(const bool is_changed, ApplyNode(child, elements[*index], site));
    if (elements[*index].is_undefined()) elements[*index] = Value::Null();
    return is_changed;
  }
  Value created;
  MONGO_ASSIGN(const bool is_changed, ApplyNode(child, created, site));
  if (created.is_undefined()) return false;
  if (*index - elements.size() > kPaddingMax) {
    return Refuse(ErrorCode::kCannotBackfillArray,
                  fmt::format("can't backfill more than {} elements", kPaddingMax));
  }
  elements.resize(*index, Value::Null());
  elements.push_back(std::move(created));
  return is_changed;
}

Answer<bool> UpdateApplier::FilterMatches(const std::string& identifier, const Value& element) {
  if (identifier.empty()) return true;
  const model::Document holder =
      std::move(model::DocumentBuilder().Append(identifier, element)).Finish();
  return filters_.at(identifier)->Matches(holder);
}

Answer<bool> UpdateApplier::ApplyElements(const UpdateNode& node, Value& value, const Site& site) {
  if (value.is_undefined()) {
    return NoArrayAt(site.path);
  }
  if (value.kind() != Kind::kArray) {
    return Refuse(ErrorCode::kBadValue,
                  fmt::format("Cannot apply array updates to non-array element {}",
                              PrintElement(site.field, value)));
  }
  bool is_changed = false;
  size_t changed_elements = 0;
  const size_t touched_before = touched_.size();
  Values& elements = value.MutableValues();
  for (size_t i = 0; i < elements.size(); ++i) {
    const std::string name = std::to_string(i);
    const Site below{site.path + "." + name, name};
    UpdateNodePtr combined;
    for (const auto& [identifier, child] : node.elements) {
      MONGO_ASSIGN(const bool matches, FilterMatches(identifier, elements[i]));
      if (!matches) continue;
      if (combined == nullptr) {
        combined = child;
      } else {
        MONGO_ASSIGN(combined, MergeNodes(*combined, *child, below.path));
      }
    }
    if (combined == nullptr) continue;
    MONGO_ASSIGN(const bool changed, ApplyNode(*combined, elements[i], below));
    if (elements[i].is_undefined()) elements[i] = Value::Null();
    is_changed = is_changed || changed;
    if (changed) ++changed_elements;
  }
  // Of several elements the whole array is told.
  if (changed_elements > 1) {
    touched_.resize(touched_before);
    NoteTouched(site, false);
  }
  return is_changed;
}

}  // namespace orrery::mongo
