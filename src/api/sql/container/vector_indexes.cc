#include "api/sql/container/vector_indexes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "api/sql/container/policy_indexes.h"
#include "api/sql/container/vector_limits.h"
#include "model/vector/vector_measure.h"
#include "net/http/http_message.h"

namespace orrery::sql {
namespace {

using item::VectorIndexType;
using model::Kind;
using model::Value;

constexpr std::string_view kPart = "vectorIndexes";

// Documented.
constexpr int64_t kFlatDimensionsMax = 505;

struct TypeName {
  VectorIndexType type;
  std::string_view name;
};
constexpr std::array<TypeName, 3> kVectorIndexTypes = {
    {{VectorIndexType::kFlat, "flat"},
     {VectorIndexType::kQuantized, "quantizedFlat"},
     {VectorIndexType::kSketched, "diskANN"}}};

std::unexpected<Error> BadVectorIndexes(std::string_view what) {
  return Fail(Code::kInvalidArgument, fmt::format("indexingPolicy: {}: {}", kPart, what));
}
std::unexpected<Error> BadEmbedding(std::string_view what) {
  return Fail(Code::kInvalidArgument, fmt::format("vectorEmbeddingPolicy: {}", what));
}

const Value* Given(const Value& entry, std::string_view name) {
  const Value* value = entry.Find(name);
  return value == nullptr || value->is_null() ? nullptr : value;
}

bool IsWithin(const Value& value, int64_t low, int64_t high) {
  const bool is_integer = value.kind() == Kind::kInt32 || value.kind() == Kind::kInt64;
  return is_integer && value.AsInteger() >= low && value.AsInteger() <= high;
}

Result<const TypeName*> TypeOf(const Value& entry) {
  const Value* type = Given(entry, "type");
  if (type != nullptr && type->kind() == Kind::kString) {
    for (const TypeName& known : kVectorIndexTypes)
      if (net::EqualsIgnoringCase(type->AsString(), known.name)) return &known;
  }
  return BadVectorIndexes("a 'type' must be flat, quantizedFlat or diskANN");
}

// Returns the rules of the embedding policy for a path.
Result<item::VectorRules> RulesAt(const std::string& path, const Value& embeddings) {
  const Value* list = Given(embeddings, "vectorEmbeddings");
  if (list == nullptr || list->kind() != Kind::kArray)
    return BadVectorIndexes(fmt::format("'{}' is not a path of the vectorEmbeddingPolicy", path));
  for (const Value& embedding : list->AsValues()) {
    const Value* at = Given(embedding, "path");
    if (at == nullptr || at->kind() != Kind::kString || at->AsString() != path) continue;
    item::VectorRules rules;
    const Value* dimensions = Given(embedding, "dimensions");
    if (dimensions == nullptr ||
        !IsWithin(*dimensions, 1, static_cast<int64_t>(model::kVectorDimensionsMax)))
      return BadEmbedding(fmt::format("the 'dimensions' of '{}' must be a number from 1 to {}",
                                      path, model::kVectorDimensionsMax));
    rules.dimensions = static_cast<uint32_t>(dimensions->AsInteger());
    if (const Value* name = Given(embedding, "distanceFunction"); name != nullptr) {
      const auto measure =
          name->kind() == Kind::kString ? model::FindVectorMeasure(name->AsString()) : std::nullopt;
      if (!measure.has_value())
        return BadEmbedding("a 'distanceFunction' must be cosine, dotproduct or euclidean");
      rules.measure = *measure;
    }
    return rules;
  }
  return BadVectorIndexes(fmt::format("'{}' is not a path of the vectorEmbeddingPolicy", path));
}

Status CheckSizes(const Value& entry, const item::VectorRules& rules) {
  if (rules.type == VectorIndexType::kFlat && rules.dimensions > kFlatDimensionsMax)
    return BadVectorIndexes(
        fmt::format("a flat index has at most {} dimensions; use quantizedFlat or diskANN",
                    kFlatDimensionsMax));
  if (const Value* bytes = Given(entry, "quantizationByteSize"); bytes != nullptr) {
    const int64_t most = std::min<int64_t>(rules.dimensions, kQuantizationBytesMax);
    if (rules.type == VectorIndexType::kFlat || !IsWithin(*bytes, 1, most))
      return BadVectorIndexes(
          fmt::format("'quantizationByteSize' is for quantizedFlat and diskANN, a number "
                      "from 1 to the dimensions, at most {}",
                      kQuantizationBytesMax));
  }
  if (const Value* size = Given(entry, "indexingSearchListSize"); size != nullptr) {
    if (rules.type != VectorIndexType::kSketched ||
        !IsWithin(*size, kSearchListMin, kSearchListMax))
      return BadVectorIndexes(
          fmt::format("'indexingSearchListSize' is for diskANN, a number from {} to {}",
                      kSearchListMin, kSearchListMax));
  }
  return {};
}

Status CheckShardKey(const Value& entry, const item::VectorRules& rules) {
  const Value* key = Given(entry, "vectorIndexShardKey");
  if (key == nullptr) return {};
  const bool is_paths =
      key->kind() == Kind::kArray && std::ranges::all_of(key->AsValues(), [](const Value& path) {
        return path.kind() == Kind::kString && model::Path::Parse(path.AsString()).has_value();
      });
  if (rules.type == VectorIndexType::kFlat || !is_paths)
    return BadVectorIndexes(
        "'vectorIndexShardKey' is for quantizedFlat and diskANN, an array of paths");
  return {};
}

Result<item::NamedIndex> IndexFrom(const Value& entry, const Value& embeddings) {
  ORRERY_ASSIGN(model::Path path, PolicyPathOf(entry, kPart));
  ORRERY_ASSIGN(const TypeName* type, TypeOf(entry));
  item::NamedIndex index;
  ORRERY_ASSIGN(index.vectors, RulesAt(entry.Find("path")->AsString(), embeddings));
  index.vectors.type = type->type;
  ORRERY_TRY(CheckSizes(entry, index.vectors));
  ORRERY_TRY(CheckShardKey(entry, index.vectors));
  // All that the entries follow from, so that another index has another name.
  index.name = fmt::format("{}{} {} {} {}", kVectorName, path.ToString(), type->name,
                           index.vectors.dimensions, model::NameOf(index.vectors.measure));
  index.kind = item::IndexKind::kVectors;
  index.paths.push_back(std::move(path));
  return index;
}

}  // namespace

Result<std::vector<item::NamedIndex>> VectorIndexesFrom(const Value& json,
                                                        const Value& embeddings) {
  if (json.kind() != Kind::kArray) return BadVectorIndexes("it must be an array");
  std::vector<item::NamedIndex> indexes;
  for (const Value& entry : json.AsValues()) {
    ORRERY_ASSIGN(item::NamedIndex index, IndexFrom(entry, embeddings));
    const auto same_path = [&](const item::NamedIndex& other) {
      return other.paths == index.paths;
    };
    if (std::ranges::any_of(indexes, same_path))
      return BadVectorIndexes(
          fmt::format("the path '{}' is given twice", index.paths.front().ToString()));
    indexes.push_back(std::move(index));
  }
  return indexes;
}

}  // namespace orrery::sql
