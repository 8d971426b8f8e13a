#include "api/sql/container/partition_key_definition.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "net/http/http_message.h"

namespace orrery::sql {
namespace {

using model::Kind;
using model::Value;
using partition::KeyHashing;

std::unexpected<Error> Bad(std::string_view what) {
  return Fail(Code::kInvalidArgument, fmt::format("partitionKey: {}", what));
}

Result<int64_t> VersionOf(const Value& json) {
  const Value* version = json.Find("version");
  if (version == nullptr || version->is_null()) return 1;
  const bool integer = version->kind() == Kind::kInt32 || version->kind() == Kind::kInt64;
  if (!integer || version->AsInteger() < 1 || version->AsInteger() > 2)
    return Bad("'version' must be 1 or 2");
  return version->AsInteger();
}

Result<bool> IsHierarchy(const Value& json) {
  const Value* kind = json.Find("kind");
  if (kind == nullptr || kind->is_null()) return false;
  if (kind->kind() == Kind::kString) {
    if (net::EqualsIgnoringCase(kind->AsString(), "Hash")) return false;
    if (net::EqualsIgnoringCase(kind->AsString(), "MultiHash")) return true;
  }
  return Bad("'kind' must be Hash or MultiHash");
}

}  // namespace

Status ReadPartitionKey(const Value& json, gateway::ContainerSettings& settings) {
  const Value* paths = json.Find("paths");
  if (paths == nullptr || paths->kind() != Kind::kArray || paths->AsValues().empty())
    return Bad("'paths' must be an array of paths, such as [\"/deviceId\"]");
  settings.partition_key_paths.clear();
  for (const Value& path : paths->AsValues()) {
    if (path.kind() != Kind::kString) return Bad("a path must be a string");
    settings.partition_key_paths.push_back(path.AsString());
  }
  ORRERY_ASSIGN(const int64_t version, VersionOf(json));
  ORRERY_ASSIGN(const bool hierarchy, IsHierarchy(json));
  if (!hierarchy && settings.partition_key_paths.size() > 1)
    return Bad("several paths need the kind MultiHash");
  if (hierarchy && version != 2) return Bad("the kind MultiHash needs version 2");
  settings.hashing = hierarchy      ? KeyHashing::kMultiHash
                     : version == 2 ? KeyHashing::kV2
                                    : KeyHashing::kV1;
  return {};
}

Value SeenPartitionKey(const gateway::ContainerSettings& settings) {
  model::Values paths;
  for (const std::string& path : settings.partition_key_paths) paths.push_back(Value::String(path));
  const bool hierarchy = settings.hashing == KeyHashing::kMultiHash;
  Value seen = Value::Object({{"paths", Value::Array(std::move(paths))},
                              {"kind", Value::String(hierarchy ? "MultiHash" : "Hash")}});
  if (settings.hashing != KeyHashing::kV1)
    seen.MutableFields().push_back({"version", Value::Int32(2)});
  return seen;
}

}  // namespace orrery::sql
