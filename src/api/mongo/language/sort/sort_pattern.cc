#include "api/mongo/language/sort/sort_pattern.h"

#include <fmt/core.h>

#include <algorithm>

#include "api/mongo/language/match/path_visit.h"
#include "api/mongo/language/value/field_path.h"
#include "api/mongo/language/value/number.h"
#include "api/mongo/language/value/print.h"
#include "model/compare.h"

namespace orrery::mongo {

using model::DocumentView;
using model::ElementView;
using model::Kind;
using model::Value;

namespace {

Answer<SortPart> ParseMetaPart(const std::string& path, const Value& value) {
  const Value* meta = value.Find("$meta");
  if (meta == nullptr || value.AsFields().size() != 1) {
    return Refuse(17312, "$meta is the only expression supported by $sort right now");
  }
  SortPart part{.path = path, .descending = true};
  const std::string name = meta->kind() == Kind::kString ? meta->AsString() : std::string();
  if (name == "textScore") {
    part.meta = SortPart::Meta::kTextScore;
  } else if (name == "randVal") {
    part.meta = SortPart::Meta::kRandom;
  } else if (name == "geoNearDistance") {
    part.meta = SortPart::Meta::kGeoDistance;
    part.descending = false;
  } else {
    return Refuse(31138, fmt::format("Illegal $meta sort: {}", PrintElement("$meta", *meta)));
  }
  return part;
}

Answer<SortPart> ParsePart(const std::string& path, const Value& value) {
  if (value.kind() == Kind::kObject) return ParseMetaPart(path, value);
  if (!value.is_number()) {
    return Refuse(15974,
                  fmt::format("Illegal key in $sort specification: {}", PrintElement(path, value)));
  }
  const std::optional<int64_t> direction = TruncatedInt64(value);
  if (direction != 1 && direction != -1) {
    return Refuse(15975, "$sort key ordering must be 1 (for ascending) or -1 (for descending)");
  }
  SortPart part{.path = path, .steps = SplitPath(path), .descending = direction == -1};
  for (const std::string& step : part.steps) {
    if (step.empty() && path.size() > 1 && path.ends_with('.')) {
      return Refuse(40353, "FieldPath must not end with a '.'.");
    }
    if (step.empty()) {
      return Refuse(part.steps.size() == 1 ? 40352 : 15998,
                    part.steps.size() == 1 ? "FieldPath cannot be constructed with empty string"
                                           : "FieldPath field names may not be empty strings.");
    }
    if (step.starts_with('$')) {
      return Refuse(16410,
                    "FieldPath field names may not start with '$'. Consider using $getField "
                    "or $setField.");
    }
  }
  return part;
}

// The values of an index key at a path: elements of arrays by themselves.
struct PartValues {
  std::vector<Value> values;
  std::string array_path;  // where the first array was met; empty: nowhere
  // The places in `values` where those of each element of the first array begin; empty if the path
  // leads to one of its positions, or through no array.
  std::vector<size_t> elements = {};
  std::optional<MongoError> error = {};
};

class KeyWalk {
 public:
  KeyWalk(const std::vector<std::string>& steps, PartValues& found)
      : steps_(steps), found_(found) {}

  void FromDocument(DocumentView document, size_t at) {
    while (true) {
      const std::optional<ElementView> element = document.Find(steps_[at]);
      if (!element.has_value()) {
        found_.values.push_back(Value::Null());
        return;
      }
      ++at;
      if (element->kind() == Kind::kArray) {
        FromArray(*element, at);
        return;
      }
      if (at == steps_.size()) {
        found_.values.push_back(element->ToValue());
        return;
      }
      if (element->kind() != Kind::kObject) {
        found_.values.push_back(Value::Null());
        return;
      }
      document = element->AsDocument();
    }
  }

 private:
  // Returns whether it is the first one.
  bool NoteArray(size_t at) {
    if (!found_.array_path.empty()) return false;
    for (size_t i = 0; i < at; ++i) found_.array_path += steps_[i] + ".";
    return true;
  }

  void FromArray(const ElementView& array, size_t at) {
    const DocumentView elements = array.AsDocument();
    if (at == steps_.size()) {
      const bool is_first = NoteArray(at);
      if (elements.empty()) found_.values.push_back(Value::Undefined());
      for (const ElementView element : elements) {
        if (is_first) found_.elements.push_back(found_.values.size());
        found_.values.push_back(element.ToValue());
      }
      return;
    }
    if (const std::optional<size_t> index = IndexOfStep(steps_[at])) {
      const auto has_field = [&](const ElementView& element) {
        return element.kind() == Kind::kObject && element.AsDocument().Find(steps_[at]).has_value();
      };
      size_t i = 0;
      for (const ElementView element : elements) {
        if (i++ != *index) continue;
        NoteArray(at);
        if (std::ranges::any_of(elements, has_field)) {
          found_.error = MongoError{
              16746,
              fmt::format("Ambiguous field name found in array (do not use numeric field "
                          "names in embedded elements in an array), field: '{}' for array: {}",
                          steps_[at], PrintBson(elements.ToObject()))};
          return;
        }
        if (element.kind() == Kind::kArray && at + 1 == steps_.size() &&
            !element.AsDocument().empty()) {
          found_.values.push_back(element.ToValue());
          return;
        }
        if (element.kind() == Kind::kObject && at + 1 < steps_.size()) {
          FromDocument(element.AsDocument(), at + 1);
        } else if (element.kind() == Kind::kArray) {
          FromArray(element, at + 1);
        } else {
          found_.values.push_back(at + 1 == steps_.size() ? element.ToValue() : Value::Null());
        }
        return;
      }
    }
    const bool is_first = NoteArray(at);
    if (elements.empty()) found_.values.push_back(Value::Null());
    for (const ElementView element : elements) {
      if (is_first) found_.elements.push_back(found_.values.size());
      if (element.kind() == Kind::kObject) {
        FromDocument(element.AsDocument(), at);
      } else {
        found_.values.push_back(Value::Null());
      }
    }
  }

  const std::vector<std::string>& steps_;
  PartValues& found_;
};

Value MetaValue(const SortPart& part, const RowMeta* meta) {
  if (meta == nullptr) return Value::Null();
  const std::optional<double>& number =
      part.meta == SortPart::Meta::kTextScore ? meta->text_score : meta->geo_distance;
  return number.has_value() ? Value::Double(*number) : Value::Null();
}

// The value of a part among those of one element of the first array, or of all.
const Value& BestOf(const SortPart& part, const PartValues& found, std::optional<size_t> element) {
  auto begin = found.values.begin();
  auto end = found.values.end();
  if (element.has_value() && *element < found.elements.size()) {
    end = *element + 1 < found.elements.size()
              ? begin + static_cast<std::ptrdiff_t>(found.elements[*element + 1])
              : end;
    begin += static_cast<std::ptrdiff_t>(found.elements[*element]);
  }
  const auto less = [](const Value& a, const Value& b) {
    return model::Compare(a, b, model::Order::kMongo) < 0;
  };
  return part.descending ? *std::max_element(begin, end, less)
                         : *std::min_element(begin, end, less);
}

// Several arrays in one document are allowed only where one leads through the other.
bool AreParallel(const std::string& a, const std::string& b) {
  return !a.empty() && !b.empty() && !a.starts_with(b) && !b.starts_with(a);
}

}  // namespace

Answer<SortPattern> SortPattern::Parse(DocumentView pattern) {
  SortPattern result;
  for (const ElementView element : pattern) {
    MONGO_ASSIGN(SortPart part, ParsePart(std::string(element.name()), element.ToValue()));
    result.parts_.push_back(std::move(part));
  }
  return result;
}

Answer<SortKey> SortPattern::KeyOf(const Row& row, const Collator* collator) const {
  std::vector<PartValues> parts;
  parts.reserve(parts_.size());
  std::string array_path;
  size_t elements = 0;
  size_t array_parts = 0;
  for (const SortPart& part : parts_) {
    PartValues& found = parts.emplace_back();
    if (part.meta != SortPart::Meta::kNone) {
      found.values.push_back(MetaValue(part, row.meta.get()));
      continue;
    }
    KeyWalk(part.steps, found).FromDocument(row.document, 0);
    if (found.error.has_value()) return std::unexpected(*std::move(found.error));
    if (AreParallel(found.array_path, array_path)) {
      return Refuse(ErrorCode::kBadValue, "cannot sort with keys that are parallel arrays");
    }
    if (array_path.empty()) array_path = found.array_path;
    if (collator != nullptr) {
      for (Value& value : found.values) value = Collated(value, *collator);
    }
    elements = std::max(elements, found.elements.size());
    array_parts += found.elements.empty() ? 0 : 1;
  }
  const auto key_of = [&](std::optional<size_t> element) {
    SortKey key;
    for (size_t i = 0; i < parts_.size(); ++i) key.push_back(BestOf(parts_[i], parts[i], element));
    return key;
  };
  if (array_parts < 2) return key_of(std::nullopt);
  // Several parts lead through the same array: their values are of one of its elements.
  SortKey best = key_of(0);
  for (size_t element = 1; element < elements; ++element) {
    SortKey key = key_of(element);
    if (Compare(key, best) < 0) best = std::move(key);
  }
  return best;
}

SortKey SortPattern::KeyOfElement(const Value& element, const Collator* collator) const {
  SortKey key;
  for (const SortPart& part : parts_) {
    const Value* at = element.kind() == Kind::kObject ? &element : nullptr;
    for (const std::string& step : part.steps) {
      if (at == nullptr) break;
      if (at->kind() == Kind::kArray) {
        const std::optional<size_t> index = IndexOfStep(step);
        at =
            index.has_value() && *index < at->AsValues().size() ? &at->AsValues()[*index] : nullptr;
      } else {
        at = at->kind() == Kind::kObject ? at->Find(step) : nullptr;
      }
    }
    const Value value = at == nullptr ? Value::Null() : *at;
    key.push_back(collator == nullptr ? value : Collated(value, *collator));
  }
  return key;
}

std::weak_ordering SortPattern::Compare(const SortKey& a, const SortKey& b) const {
  for (size_t i = 0; i < parts_.size(); ++i) {
    const std::weak_ordering order = model::Compare(a[i], b[i], model::Order::kMongo);
    if (order == 0) continue;
    return parts_[i].descending ? 0 <=> order : order;
  }
  return std::weak_ordering::equivalent;
}

}  // namespace orrery::mongo
