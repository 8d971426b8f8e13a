#include "item/index/unique_keys.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/bytes.h"
#include "base/check.h"
#include "item/index/index_terms.h"
#include "item/layout/key_layout.h"
#include "model/document/document_builder.h"
#include "model/key/key_codec.h"
#include "model/text/collated_value.h"

namespace orrery::item {
namespace {

// The rule under which keys of unique indexes stand; their values begin with the index's id.
constexpr uint8_t kUniqueIndexRule = 255;
static_assert(kUniqueIndexRule >= kUniqueRulesMax);

using Tuple = std::vector<model::Value>;

bool IsPosition(std::string_view step) {
  return !step.empty() && std::ranges::all_of(step, [](char c) { return c >= '0' && c <= '9'; });
}

// Makes the tuples of one document in one index.
class TupleMaker {
 public:
  explicit TupleMaker(const NamedIndex& index) : index_(index) {}

  Result<std::vector<Tuple>> Make(model::DocumentView document) {
    std::vector<Slot> slots;
    for (const model::Path& path : index_.paths) slots.push_back({.left = path.steps()});
    ORRERY_TRY(Expand(document, std::move(slots)));
    return std::move(tuples_);
  }

 private:
  // A path on its way through the document.
  struct Slot {
    std::span<const std::string> left;          // steps that are still to be taken
    std::optional<model::Value> value = {};     // where it has ended
    bool is_absent = false;                     // it led to nothing
    std::optional<model::ElementView> at = {};  // the array that it has met

    void End(model::Value found) {
      value = std::move(found);
      at.reset();
    }
    void EndAbsent() {
      is_absent = true;
      End(model::Value::Null());
    }
  };

  // Follows the path to its end or to an array.
  static void Follow(model::DocumentView document, Slot& slot) {
    auto found = document.Find(slot.left.front());
    while (true) {
      slot.left = slot.left.subspan(1);
      if (!found.has_value()) return slot.EndAbsent();
      if (found->kind() == model::Kind::kArray) {
        const auto element = slot.left.empty() || !IsPosition(slot.left.front())
                                 ? std::nullopt
                                 : found->AsDocument().Find(slot.left.front());
        if (!element.has_value()) {
          slot.at = found;
          return;
        }
        found = element;
        continue;
      }
      if (slot.left.empty()) return slot.End(found->ToValue());
      if (found->kind() != model::Kind::kObject) return slot.EndAbsent();
      found = found->AsDocument().Find(slot.left.front());
    }
  }

  Status Expand(model::DocumentView document, std::vector<Slot> slots) {
    std::optional<model::ElementView> array;
    for (size_t i = 0; i < slots.size(); ++i) {
      Slot& slot = slots[i];
      if (slot.value.has_value()) continue;
      Follow(document, slot);
      if (!slot.at.has_value()) continue;
      if (array.has_value() && array->payload().data() != slot.at->payload().data()) {
        return Fail(Code::kInvalidArgument, "cannot index parallel arrays [" +
                                                std::string(slot.at->name()) + "] [" +
                                                std::string(array->name()) + "]");
      }
      array = slot.at;
    }
    if (!array.has_value()) return Add(slots);
    const model::DocumentView elements = array->AsDocument();
    if (elements.empty()) return Into(std::nullopt, slots);
    for (const model::ElementView element : elements) ORRERY_TRY(Into(element, slots));
    return {};
  }

  // Goes on with one element of the array that slots have met; nullopt: it has none.
  Status Into(const std::optional<model::ElementView>& element, std::vector<Slot> slots) {
    for (Slot& slot : slots) {
      if (!slot.at.has_value()) continue;
      if (slot.left.empty()) {
        slot.End(element.has_value() ? element->ToValue() : model::Value::Undefined());
      } else {
        slot.at.reset();
      }
    }
    const bool is_object = element.has_value() && element->kind() == model::Kind::kObject;
    return Expand(is_object ? element->AsDocument() : model::DocumentView(), std::move(slots));
  }

  Status Add(std::vector<Slot>& slots) {
    if (index_.sparse && std::ranges::all_of(slots, &Slot::is_absent)) return {};
    if (tuples_.size() == kIndexTermsMax)
      return Fail(Code::kTooLarge, "the document has too many values in a unique index");
    Tuple& tuple = tuples_.emplace_back();
    for (Slot& slot : slots) tuple.push_back(*std::move(slot.value));
    return {};
  }

  const NamedIndex& index_;
  std::vector<Tuple> tuples_;
};

std::string EncodedTuple(const NamedIndex& index, const Tuple& tuple, model::Order order) {
  std::string encoded;
  AppendBigEndian(encoded, index.id);
  for (const model::Value& value : tuple) {
    if (index.collator != nullptr) {
      model::AppendKey(encoded, model::CollatedValue(value, *index.collator), order);
    } else {
      model::AppendKey(encoded, value, order);
    }
  }
  return encoded;
}

Result<std::vector<Tuple>> TuplesOf(const NamedIndex& index, model::DocumentView document) {
  if (index.only.has_value() && !model::Matches(*index.only, document)) return std::vector<Tuple>();
  return TupleMaker(index).Make(document);
}

Status CheckUniqueSize(std::string_view values) {
  if (values.size() <= kUniqueValuesBytesMax) return {};
  return Fail(Code::kTooLarge, "the values of a unique key are too long");
}

// The keys that the container's rules ask for.
Status AddRuleKeys(const ContainerSchema& schema, Hash128 hash, std::string_view partition_key,
                   model::DocumentView document, std::vector<std::string>& keys) {
  ORRERY_CHECK(schema.unique_keys.size() <= kUniqueRulesMax);
  for (size_t rule = 0; rule < schema.unique_keys.size(); ++rule) {
    std::string values;
    for (const model::Path& path : schema.unique_keys[rule].paths) {
      const model::Value value = path.Get(document);
      // A missing value counts as null.
      model::AppendKey(values, value.is_undefined() ? model::Value::Null() : value, schema.order);
    }
    ORRERY_TRY(CheckUniqueSize(values));
    WriteUniqueKey(keys.emplace_back(), schema.id, hash, partition_key, static_cast<uint8_t>(rule),
                   values);
  }
  return {};
}

// The values of the keys that one unique index asks for, without repetition.
Result<std::vector<std::string>> ValuesInUnique(const NamedIndex& index, model::Order order,
                                                model::DocumentView document) {
  ORRERY_ASSIGN(const std::vector<Tuple> tuples, TuplesOf(index, document));
  std::vector<std::string> encoded;
  for (const Tuple& tuple : tuples) {
    encoded.push_back(EncodedTuple(index, tuple, order));
    ORRERY_TRY(CheckUniqueSize(encoded.back()));
  }
  std::ranges::sort(encoded);
  const auto repeated = std::ranges::unique(encoded);
  encoded.erase(repeated.begin(), repeated.end());
  return encoded;
}

// The keys that unique indexes ask for. With `is_stored` an index that could not have the document
// has no key of it: it is being built, and will be refused.
Status AddIndexKeys(const ContainerSchema& schema, const IndexPolicy& indexing, Hash128 hash,
                    std::string_view partition_key, model::DocumentView document, bool is_stored,
                    std::vector<std::string>& keys) {
  if (!indexing.has_unique()) return {};
  for (const NamedIndex& index : indexing.named()) {
    if (!index.unique) continue;
    auto encoded = ValuesInUnique(index, schema.order, document);
    if (!encoded.has_value()) {
      if (is_stored) continue;
      return Fail(std::move(encoded).error());
    }
    for (const std::string& values : *encoded)
      WriteUniqueKey(keys.emplace_back(), schema.id, hash, partition_key, kUniqueIndexRule, values);
  }
  return {};
}

std::string DottedPath(const model::Path& path) {
  std::string dotted;
  for (const std::string& step : path.steps()) dotted += (dotted.empty() ? "" : ".") + step;
  return dotted;
}

}  // namespace

std::string UniqueConflict::Encode() const {
  model::DocumentBuilder builder;
  builder.AppendString("index", index);
  builder.OpenArray("paths");
  for (size_t i = 0; i < paths.size(); ++i) builder.AppendString(std::to_string(i), paths[i]);
  builder.Close().OpenArray("falls");
  for (size_t i = 0; i < directions.size(); ++i)
    builder.AppendBool(std::to_string(i), directions[i] == model::Direction::kDescending);
  builder.Close().OpenArray("values");
  for (size_t i = 0; i < values.size(); ++i) builder.Append(std::to_string(i), values[i]);
  builder.Close();
  return std::move(std::move(builder).Finish()).Release();
}

Result<UniqueConflict> UniqueConflict::Decode(std::string_view bytes) {
  const Error malformed(Code::kCorruption, "the facts of a unique key's conflict are malformed");
  const auto document = model::DocumentView::FromBson(bytes);
  if (!document.has_value()) return Fail(malformed);
  const auto index = document->Find("index");
  const auto paths = document->Find("paths");
  const auto falls = document->Find("falls");
  const auto values = document->Find("values");
  const auto is_array = [](const std::optional<model::ElementView>& field) {
    return field.has_value() && field->kind() == model::Kind::kArray;
  };
  if (!index.has_value() || index->kind() != model::Kind::kString || !is_array(paths) ||
      !is_array(falls) || !is_array(values))
    return Fail(malformed);
  UniqueConflict conflict;
  conflict.index = index->AsString();
  for (const model::ElementView path : paths->AsDocument()) {
    if (path.kind() != model::Kind::kString) return Fail(malformed);
    conflict.paths.emplace_back(path.AsString());
  }
  for (const model::ElementView fall : falls->AsDocument()) {
    if (fall.kind() != model::Kind::kBool) return Fail(malformed);
    conflict.directions.push_back(fall.AsBool() ? model::Direction::kDescending
                                                : model::Direction::kAscending);
  }
  for (const model::ElementView value : values->AsDocument())
    conflict.values.push_back(value.ToValue());
  if (conflict.paths.size() != conflict.values.size() ||
      conflict.paths.size() != conflict.directions.size())
    return Fail(malformed);
  return conflict;
}

Result<std::vector<std::string>> UniqueKeysOf(const ContainerSchema& schema, Hash128 hash,
                                              std::string_view partition_key,
                                              model::DocumentView document) {
  std::vector<std::string> keys;
  ORRERY_TRY(AddRuleKeys(schema, hash, partition_key, document, keys));
  ORRERY_TRY(AddIndexKeys(schema, schema.indexing, hash, partition_key, document,
                          /*is_stored=*/false, keys));
  return keys;
}

Result<std::vector<std::string>> StoredUniqueKeysOf(const ContainerSchema& schema, Hash128 hash,
                                                    std::string_view partition_key,
                                                    model::DocumentView document) {
  std::vector<std::string> keys;
  ORRERY_TRY(AddRuleKeys(schema, hash, partition_key, document, keys));
  ORRERY_TRY(AddIndexKeys(schema, schema.indexing, hash, partition_key, document,
                          /*is_stored=*/true, keys));
  if (!schema.former_indexing.has_value()) return keys;
  std::vector<std::string> former;
  ORRERY_TRY(AddIndexKeys(schema, *schema.former_indexing, hash, partition_key, document,
                          /*is_stored=*/true, former));
  for (std::string& key : former) {
    if (std::ranges::find(keys, key) == keys.end()) keys.push_back(std::move(key));
  }
  return keys;
}

std::optional<UniqueConflict> ConflictAt(const ContainerSchema& schema, std::string_view key,
                                         model::DocumentView document) {
  const auto decoded = DecodeKey(key);
  if (!decoded.has_value() || decoded->unique_rule != kUniqueIndexRule) return std::nullopt;
  for (const NamedIndex& index : schema.indexing.named()) {
    if (!index.unique) continue;
    const auto tuples = TuplesOf(index, document);
    if (!tuples.has_value()) continue;
    for (const Tuple& tuple : *tuples) {
      if (EncodedTuple(index, tuple, schema.order) != decoded->value) continue;
      UniqueConflict conflict{.index = index.name, .paths = {}, .directions = {}, .values = tuple};
      for (size_t i = 0; i < index.paths.size(); ++i) {
        conflict.paths.push_back(DottedPath(index.paths[i]));
        conflict.directions.push_back(index.direction(i));
      }
      return conflict;
    }
  }
  return std::nullopt;
}

}  // namespace orrery::item
