#include "api/mongo/catalog/duplicate_key.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "api/mongo/error/error_map.h"
#include "api/mongo/language/value/print.h"
#include "gateway/requests.h"
#include "model/document/document_builder.h"
#include "model/text/collated_value.h"

namespace orrery::mongo {
namespace {

constexpr std::string_view kParallelArrays = "cannot index parallel arrays";

std::string HexOf(std::string_view bytes) {
  std::string hex;
  for (const char byte : bytes) hex += fmt::format("{:02x}", static_cast<uint8_t>(byte));
  return hex;
}

// The key in the words of MongoDB. Under a collation strings are what they are compared by.
struct KeyText {
  std::string text;           // { a: 1 }
  model::Document value;      // {a: 1}
  std::vector<bool> has_hex;  // one for each field
  bool has_any_hex = false;
};

KeyText TextOfKey(const item::UniqueConflict& conflict, const model::TextCollator* collator) {
  KeyText key;
  model::DocumentBuilder builder;
  for (size_t i = 0; i < conflict.paths.size(); ++i) {
    const model::Value value = collator == nullptr
                                   ? conflict.values[i]
                                   : model::CollatedValue(conflict.values[i], *collator);
    const bool is_hex = collator != nullptr && value.kind() == model::Kind::kString;
    key.has_hex.push_back(is_hex);
    key.has_any_hex |= is_hex;
    key.text += i == 0 ? "{ " : ", ";
    if (is_hex) {
      const std::string hex = HexOf(value.AsString());
      key.text += fmt::format("{}: \"0x{}\"", conflict.paths[i], hex);
      builder.AppendString(conflict.paths[i], hex);
      continue;
    }
    key.text += fmt::format("{}: {}", conflict.paths[i],
                            value.is_undefined() ? "undefined" : PrintBson(value));
    builder.Append(conflict.paths[i], value.is_undefined() ? model::Value::Null() : value);
  }
  key.text += " }";
  key.value = std::move(builder).Finish();
  return key;
}

model::Document PatternOf(const item::UniqueConflict& conflict) {
  model::DocumentBuilder pattern;
  for (size_t i = 0; i < conflict.paths.size(); ++i) {
    const bool falls = conflict.directions[i] == model::Direction::kDescending;
    pattern.AppendInt32(conflict.paths[i], falls ? -1 : 1);
  }
  return std::move(pattern).Finish();
}

}  // namespace

MongoError IndexRefusal(const Error& error) {
  if (error.code() != Code::kInvalidArgument || !error.message().starts_with(kParallelArrays))
    return ToMongoError(error);
  return {static_cast<int32_t>(ErrorCode::kCannotIndexParallelArrays), error.message()};
}

MongoError DuplicateKey(const Namespace& name, const std::vector<IndexSpec>& indexes,
                        std::string_view conflict) {
  MongoError error{static_cast<int32_t>(ErrorCode::kDuplicateKey),
                   fmt::format("E11000 duplicate key error collection: {}", name.ToString())};
  const auto facts = item::UniqueConflict::Decode(conflict);
  if (!facts.has_value()) return error;
  const auto spec = std::ranges::find(indexes, facts->index, &IndexSpec::name);
  const auto collation = spec == indexes.end() ? std::nullopt : spec->spec.view().Find("collation");
  Answer<item::NamedIndex> named = std::unexpected(MongoError());
  if (collation.has_value()) named = NamedIndexOf(*spec, 1);
  const KeyText key = TextOfKey(*facts, named.has_value() ? named->collator.get() : nullptr);
  error.message += fmt::format(" index: {}", facts->index);
  if (collation.has_value())
    error.message += fmt::format(" collation: {}", PrintBson(collation->ToValue()));
  error.message += fmt::format(" dup key: {}", key.text);
  model::DocumentBuilder beside;
  beside.AppendDocument("keyPattern", spec == indexes.end() ? PatternOf(*facts) : spec->key);
  beside.AppendDocument("keyValue", key.value);
  if (key.has_any_hex) {
    beside.OpenArray("hexEncoded");
    for (size_t i = 0; i < key.has_hex.size(); ++i)
      beside.AppendBool(std::to_string(i), key.has_hex[i]);
    beside.Close();
  }
  if (collation.has_value()) beside.Append("collation", *collation);
  error.beside = std::move(beside).Finish();
  return error;
}

}  // namespace orrery::mongo
