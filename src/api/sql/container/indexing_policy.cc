#include "api/sql/container/indexing_policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "api/sql/container/composite_indexes.h"
#include "api/sql/container/full_text_indexes.h"
#include "api/sql/container/kept_properties.h"
#include "api/sql/container/spatial_indexes.h"
#include "api/sql/container/vector_indexes.h"
#include "model/path/path_pattern.h"
#include "net/http/http_message.h"

namespace orrery::sql {
namespace {

using model::Kind;
using model::Value;

// Parts that are named indexes in the core.
struct NamedPart {
  std::string_view name;
  Result<std::vector<item::NamedIndex>> (*read)(const Value& json);
};
constexpr std::array<NamedPart, 3> kNamedParts = {{{"compositeIndexes", CompositeIndexesFrom},
                                                   {"spatialIndexes", SpatialIndexesFrom},
                                                   {"fullTextIndexes", FullTextIndexesFrom}}};
constexpr std::string_view kVectorIndexes = "vectorIndexes";
// Policies leave it out, unless they name it themselves.
constexpr std::string_view kEtagPath = "/\"_etag\"/?";

std::unexpected<Error> BadIndexingPolicy(std::string_view what) {
  return Fail(Code::kInvalidArgument, fmt::format("indexingPolicy: {}", what));
}

Result<std::string> PathOf(const Value& entry, std::string_view list) {
  const Value* path = entry.Find("path");
  if (path == nullptr || path->kind() != Kind::kString)
    return BadIndexingPolicy(fmt::format("each of '{}' needs a 'path'", list));
  return path->AsString();
}

Result<std::vector<std::string>> PathsOf(const Value& json, std::string_view list) {
  std::vector<std::string> paths;
  const Value* entries = json.Find(list);
  if (entries == nullptr || entries->is_null()) return paths;
  if (entries->kind() != Kind::kArray)
    return BadIndexingPolicy(fmt::format("'{}' must be an array", list));
  for (const Value& entry : entries->AsValues()) {
    ORRERY_ASSIGN(std::string path, PathOf(entry, list));
    if (path == "/") path = "/*";  // an old way to say it
    paths.push_back(std::move(path));
  }
  return paths;
}

// With or without quotes.
bool NamesEtag(const std::vector<std::string>& paths) {
  const auto etag = model::PathPattern::Parse(kEtagPath);
  return std::ranges::any_of(paths, [&](const std::string& path) {
    const auto pattern = model::PathPattern::Parse(path);
    return pattern.has_value() && *pattern == *etag;
  });
}

Value ShownPaths(const std::vector<std::string>& paths) {
  model::Values shown;
  for (const std::string& path : paths)
    shown.push_back(Value::Object({{"path", Value::String(path)}}));
  return Value::Array(std::move(shown));
}

// "consistent" or "none"; the old "lazy" is taken as what it became.
Result<std::string> ModeOf(const Value& json) {
  const Value* mode = json.Find("indexingMode");
  if (mode == nullptr || mode->is_null()) return "consistent";
  if (mode->kind() == Kind::kString) {
    if (net::EqualsIgnoringCase(mode->AsString(), "consistent")) return "consistent";
    if (net::EqualsIgnoringCase(mode->AsString(), "lazy")) return "lazy";
    if (net::EqualsIgnoringCase(mode->AsString(), "none")) return "none";
  }
  return BadIndexingPolicy("'indexingMode' must be consistent or none");
}

Result<bool> AutomaticOf(const Value& json, bool otherwise) {
  const Value* automatic = json.Find("automatic");
  if (automatic == nullptr || automatic->is_null()) return otherwise;
  if (automatic->kind() != Kind::kBool)
    return BadIndexingPolicy("'automatic' must be true or false");
  return automatic->AsBool();
}

}  // namespace

Result<IndexingPolicy> IndexingPolicyFrom(const Value& json, const Value& embeddings) {
  IndexingPolicy policy;
  if (json.is_undefined() || json.is_null()) {
    policy.shown = ShownPolicy(policy.settings);
    return policy;
  }
  if (json.kind() != Kind::kObject) return BadIndexingPolicy("it must be an object");
  ORRERY_ASSIGN(const std::string mode, ModeOf(json));
  const bool indexed = mode != "none";
  policy.is_indexed = indexed;
  ORRERY_ASSIGN(const bool automatic, AutomaticOf(json, indexed));
  if (!indexed && automatic)
    return BadIndexingPolicy("with the mode none 'automatic' must be false");
  ORRERY_ASSIGN(std::vector<std::string> included, PathsOf(json, "includedPaths"));
  ORRERY_ASSIGN(std::vector<std::string> excluded, PathsOf(json, "excludedPaths"));
  policy.settings.automatic = automatic;
  // A policy that names no paths means the default ones.
  if (!included.empty() || !excluded.empty()) {
    if (!NamesEtag(included) && !NamesEtag(excluded)) excluded.emplace_back(kEtagPath);
    policy.settings.included_paths = std::move(included);
    policy.settings.excluded_paths = std::move(excluded);
  }
  policy.shown = ShownPolicy(policy.settings);
  SetField(policy.shown, "indexingMode", Value::String(mode));
  if (!indexed) {
    SetField(policy.shown, "includedPaths", Value::Array({}));
    SetField(policy.shown, "excludedPaths", Value::Array({}));
  }
  const auto add = [&](std::string_view name, const auto& read) -> Status {
    const Value* given = json.Find(name);
    if (given == nullptr || given->is_null()) return {};
    ORRERY_ASSIGN(auto indexes, read(*given));
    if (indexed) std::ranges::move(indexes, std::back_inserter(policy.settings.named));
    SetField(policy.shown, name, *given);
    return {};
  };
  for (const NamedPart& part : kNamedParts) ORRERY_TRY(add(part.name, part.read));
  ORRERY_TRY(add(kVectorIndexes,
                 [&](const Value& given) { return VectorIndexesFrom(given, embeddings); }));
  return policy;
}

Value ShownPolicy(const gateway::IndexingSettings& settings) {
  return Value::Object({{"indexingMode", Value::String("consistent")},
                        {"automatic", Value::Bool(settings.automatic)},
                        {"includedPaths", ShownPaths(settings.included_paths)},
                        {"excludedPaths", ShownPaths(settings.excluded_paths)}});
}

}  // namespace orrery::sql
