#include "api/sql/container/spatial_indexes.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "api/sql/container/policy_indexes.h"

namespace orrery::sql {
namespace {

using model::Kind;
using model::Value;

std::unexpected<Error> BadSpatialIndexes(std::string_view what) {
  return Fail(Code::kInvalidArgument, fmt::format("indexingPolicy: spatialIndexes: {}", what));
}

// Nothing when the path leads to many places, or to none that an index can have.
std::optional<model::Path> PlaceOf(std::string_view text) {
  for (const std::string_view end : {"/*", "/?"}) {
    if (!text.ends_with(end)) continue;
    text.remove_suffix(end.size());
    break;
  }
  auto path = model::Path::Parse(text);
  if (!path.has_value() || path->steps().empty()) return std::nullopt;
  return *std::move(path);
}

constexpr std::string_view kShapeTypes[] = {"Point", "LineString", "Polygon", "MultiPolygon"};

// All of them are indexed, whichever are named.
Status CheckTypes(const Value& entry) {
  const Value* types = entry.Find("types");
  if (types == nullptr || types->is_null()) return {};
  if (types->kind() != Kind::kArray) return BadSpatialIndexes("'types' must be an array");
  for (const Value& type : types->AsValues()) {
    if (type.kind() != Kind::kString ||
        std::ranges::find(kShapeTypes, type.AsString()) == std::end(kShapeTypes))
      return BadSpatialIndexes("a type must be Point, LineString, Polygon or MultiPolygon");
  }
  return {};
}

}  // namespace

Result<std::vector<item::NamedIndex>> SpatialIndexesFrom(const Value& json) {
  if (json.kind() != Kind::kArray) return BadSpatialIndexes("it must be an array");
  std::vector<item::NamedIndex> indexes;
  for (const Value& entry : json.AsValues()) {
    const Value* text = entry.Find("path");
    if (text == nullptr || text->kind() != Kind::kString)
      return BadSpatialIndexes("each needs a 'path'");
    ORRERY_TRY(CheckTypes(entry));
    auto path = PlaceOf(text->AsString());
    if (!path.has_value()) continue;
    item::NamedIndex index{
        .id = 0, .name = std::string(kSpatialName) + path->ToString(), .paths = {}};
    if (std::ranges::find(indexes, index.name, &item::NamedIndex::name) != indexes.end()) continue;
    index.kind = item::IndexKind::kQuadtreeCells;
    index.paths.push_back(*std::move(path));
    indexes.push_back(std::move(index));
  }
  return indexes;
}

Status CheckBoundingBoxes(const Value& json, bool geometry) {
  if (json.kind() != Kind::kArray) return {};
  for (const Value& entry : json.AsValues()) {
    const Value* box = entry.Find("boundingBox");
    const bool given = box != nullptr && !box->is_null();
    if (geometry && !given)
      return BadSpatialIndexes("each needs a 'boundingBox' when the geospatialConfig is Geometry");
    if (!geometry && given)
      return BadSpatialIndexes(
          "a 'boundingBox' cannot be given when the geospatialConfig is Geography");
  }
  return {};
}

}  // namespace orrery::sql
