#include "api/sql/container/vector_policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "api/sql/container/vector_limits.h"
#include "model/vector/vector_measure.h"
#include "net/http/http_message.h"

namespace orrery::sql {
namespace {

using model::Kind;
using model::Value;

constexpr int64_t kDimensionsMax = model::kVectorDimensionsMax;
constexpr size_t kShardPathsMax = 1;
constexpr std::array<std::string_view, 4> kDataTypes = {"float32", "float16", "int8", "uint8"};
constexpr std::array<std::string_view, 3> kDistances = {"euclidean", "cosine", "dotproduct"};
constexpr std::array<std::string_view, 3> kIndexTypes = {"flat", "quantizedFlat", "diskANN"};

std::unexpected<Error> BadVectorPolicy(std::string message) {
  return Fail(Code::kInvalidArgument, std::move(message));
}

std::unexpected<Error> WrongKind(std::string_view what) {
  return BadVectorPolicy(fmt::format("One of the specified inputs is invalid: {}", what));
}

// The entries of a list in an object that may both be missing.
Result<const model::Values*> EntriesOf(const Value& body, std::string_view policy,
                                       std::string_view list) {
  static const model::Values kNone;
  const Value* outer = body.Find(policy);
  if (outer == nullptr || outer->is_null()) return &kNone;
  if (outer->kind() != Kind::kObject) return WrongKind(fmt::format("{} is no object", policy));
  const Value* entries = outer->Find(list);
  if (entries == nullptr || entries->is_null()) return &kNone;
  if (entries->kind() != Kind::kArray) return WrongKind(fmt::format("{} is no array", list));
  for (const Value& entry : entries->AsValues()) {
    const Value* path = entry.kind() == Kind::kObject ? entry.Find("path") : nullptr;
    if (path == nullptr || path->kind() != Kind::kString || !path->AsString().starts_with('/'))
      return WrongKind(fmt::format("each of {} needs a 'path' that begins with '/'", list));
  }
  return &entries->AsValues();
}
Result<const model::Values*> EmbeddingsOf(const Value& body) {
  return EntriesOf(body, "vectorEmbeddingPolicy", "vectorEmbeddings");
}
Result<const model::Values*> IndexesOf(const Value& body) {
  return EntriesOf(body, "indexingPolicy", "vectorIndexes");
}

const Value* EntryAt(const model::Values& entries, std::string_view path) {
  const auto found = std::ranges::find_if(
      entries, [path](const Value& entry) { return entry.Find("path")->AsString() == path; });
  return found == entries.end() ? nullptr : &*found;
}

// Nothing for a property that is not there.
Result<std::optional<int64_t>> IntegerAt(const Value& entry, std::string_view name) {
  const Value* value = entry.Find(name);
  if (value == nullptr || value->is_null()) return std::nullopt;
  if (value->kind() != Kind::kInt32 && value->kind() != Kind::kInt64)
    return WrongKind(fmt::format("'{}' is no whole number", name));
  return value->AsInteger();
}
Result<std::optional<std::string_view>> TextAt(const Value& entry, std::string_view name) {
  const Value* value = entry.Find(name);
  if (value == nullptr || value->is_null()) return std::nullopt;
  if (value->kind() != Kind::kString) return WrongKind(fmt::format("'{}' is no string", name));
  return value->AsString();
}

bool IsOneOf(std::string_view text, auto& words) {
  return std::ranges::any_of(
      words, [text](std::string_view word) { return net::EqualsIgnoringCase(text, word); });
}

Status CheckEmbedding(const Value& embedding) {
  ORRERY_ASSIGN(const auto type, TextAt(embedding, "dataType"));
  if (type.has_value() && !IsOneOf(*type, kDataTypes)) {
    return BadVectorPolicy(
        fmt::format("The Vector Embedding Policy has an invalid DataType:{}. There are {}.", *type,
                    fmt::join(kDataTypes, ", ")));
  }
  ORRERY_ASSIGN(const auto dimensions, IntegerAt(embedding, "dimensions"));
  if (dimensions.has_value() && *dimensions < 1) {
    return BadVectorPolicy(fmt::format(
        "The Vector Embedding Policy has Dimensions:{} which is less than the minimum supported "
        "value:1.",
        *dimensions));
  }
  if (dimensions.has_value() && *dimensions > kDimensionsMax) {
    return BadVectorPolicy(fmt::format(
        "The Vector Embedding Policy has Dimensions:{} which is more than the maximum supported "
        "value:{}.",
        *dimensions, kDimensionsMax));
  }
  ORRERY_ASSIGN(const auto distance, TextAt(embedding, "distanceFunction"));
  if (distance.has_value() && !IsOneOf(*distance, kDistances)) {
    return BadVectorPolicy(
        fmt::format("The Vector Embedding Policy has an invalid DistanceFunction:{}. There are {}.",
                    *distance, fmt::join(kDistances, ", ")));
  }
  return {};
}

Status CheckRange(const Value& index, std::string_view name, std::string_view shown, int64_t low,
                  int64_t high) {
  ORRERY_ASSIGN(const auto value, IntegerAt(index, name));
  if (!value.has_value() || (*value >= low && *value <= high)) return {};
  return BadVectorPolicy(fmt::format(
      "The Vector Indexing Policy parameter {} value :: {} is out of range. The allowed range is "
      "between {} and {}.",
      shown, *value, low, high));
}

Status CheckShards(const Value& index) {
  const Value* shards = index.Find("vectorIndexShardKey");
  if (shards == nullptr || shards->is_null()) return {};
  if (shards->kind() != Kind::kArray) return WrongKind("'vectorIndexShardKey' is no array");
  if (shards->AsValues().size() > kShardPathsMax) {
    return BadVectorPolicy(fmt::format(
        "The number of shard paths defined in the Vector Indexing Policy: {} exceeds the maximum: "
        "{}.",
        shards->AsValues().size(), kShardPathsMax));
  }
  for (const Value& shard : shards->AsValues()) {
    if (shard.kind() != Kind::kString) return WrongKind("a shard path is no string");
    if (!shard.AsString().starts_with('/')) {
      return BadVectorPolicy(fmt::format(
          "The Vector Indexing Policy has an invalid Shard Path: {}.", shard.AsString()));
    }
  }
  return {};
}

Status CheckIndex(const Value& index, const model::Values& embeddings) {
  const std::string& path = index.Find("path")->AsString();
  ORRERY_ASSIGN(const auto type, TextAt(index, "type"));
  if (!type.has_value() || !IsOneOf(*type, kIndexTypes)) {
    return BadVectorPolicy(
        fmt::format("The Vector Indexing Policy's Index Type::{} is invalid. There are {}.",
                    type.value_or(""), fmt::join(kIndexTypes, ", ")));
  }
  const Value* embedding = EntryAt(embeddings, path);
  if (embedding == nullptr) {
    return BadVectorPolicy(fmt::format(
        "The Vector Indexing Policy's path::{} not matching in Embedding's path.", path));
  }
  ORRERY_ASSIGN(const auto dimensions, IntegerAt(*embedding, "dimensions"));
  ORRERY_TRY(CheckRange(index, "quantizationByteSize", "QuantizationByteSize", 1,
                        std::min(kQuantizationBytesMax, dimensions.value_or(kDimensionsMax))));
  ORRERY_TRY(CheckRange(index, "indexingSearchListSize", "IndexingSearchListSize", kSearchListMin,
                        kSearchListMax));
  return CheckShards(index);
}

// In whatever order their properties stand.
bool SameProperties(const Value& one, const Value& other) {
  return one.AsFields().size() == other.AsFields().size() &&
         std::ranges::all_of(one.AsFields(), [&other](const model::Field& field) {
           const Value* value = other.Find(field.name);
           return value != nullptr && *value == field.value;
         });
}

// Returns whether each entry that is in both lists is the same in both.
bool Keeps(const model::Values& former, const model::Values& entries) {
  return std::ranges::all_of(former, [&entries](const Value& entry) {
    const Value* now = EntryAt(entries, entry.Find("path")->AsString());
    return now == nullptr || SameProperties(entry, *now);
  });
}

}  // namespace

Status CheckVectorPolicy(const Value& body) {
  ORRERY_ASSIGN(const model::Values* embeddings, EmbeddingsOf(body));
  for (const Value& embedding : *embeddings) ORRERY_TRY(CheckEmbedding(embedding));
  ORRERY_ASSIGN(const model::Values* indexes, IndexesOf(body));
  for (const Value& index : *indexes) ORRERY_TRY(CheckIndex(index, *embeddings));
  return {};
}

Status CheckVectorPolicyChange(const Value& former, const Value& body) {
  ORRERY_ASSIGN(const model::Values* former_indexes, IndexesOf(former));
  ORRERY_ASSIGN(const model::Values* indexes, IndexesOf(body));
  if (!Keeps(*former_indexes, *indexes)) {
    return BadVectorPolicy(
        "Paths in existing vector indexing policy cannot be modified in Collection Replace.");
  }
  ORRERY_ASSIGN(const model::Values* former_embeddings, EmbeddingsOf(former));
  ORRERY_ASSIGN(const model::Values* embeddings, EmbeddingsOf(body));
  if (!Keeps(*former_embeddings, *embeddings))
    return BadVectorPolicy(
        "Paths in existing embedding policy cannot be modified in Collection Replace.");
  return {};
}

}  // namespace orrery::sql
