#include "api/sql/container/partition_key_definition.h"

#include <fmt/format.h>

#include <cctype>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "net/http/http_message.h"

namespace orrery::sql {
namespace {

using model::Kind;
using model::Value;
using partition::KeyHashing;

// The property that containers without a key show in its place: clients then send no value of it.
constexpr std::string_view kSystemKey = "systemKey";
constexpr std::string_view kSystemPath = "/_partitionKey";

bool IsSystemKey(const Value& json) {
  const Value* system = json.Find(kSystemKey);
  return system != nullptr && system->kind() == Kind::kBool && system->AsBool();
}

std::unexpected<Error> BadPartitionKey(std::string_view what) {
  return Fail(Code::kInvalidArgument, fmt::format("partitionKey: {}", what));
}

Result<int64_t> VersionOf(const Value& json) {
  const Value* version = json.Find("version");
  if (version == nullptr || version->is_null()) return 1;
  // As Java's client writes it.
  if (version->kind() == Kind::kString && version->AsString() == "V1") return 1;
  if (version->kind() == Kind::kString && version->AsString() == "V2") return 2;
  const bool integer = version->kind() == Kind::kInt32 || version->kind() == Kind::kInt64;
  if (!integer || version->AsInteger() < 1 || version->AsInteger() > 2)
    return BadPartitionKey("'version' must be 1 or 2");
  return version->AsInteger();
}

Result<bool> IsHierarchy(const Value& json) {
  const Value* kind = json.Find("kind");
  if (kind == nullptr || kind->is_null()) return false;
  if (kind->kind() == Kind::kString) {
    if (net::EqualsIgnoringCase(kind->AsString(), "Hash")) return false;
    if (net::EqualsIgnoringCase(kind->AsString(), "MultiHash")) return true;
  }
  return BadPartitionKey("'kind' must be Hash or MultiHash");
}

// Returns where a path of a key becomes invalid: fields are letters, digits and '_', or in quotes.
std::optional<size_t> FaultOf(std::string_view path) {
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' ||
           static_cast<unsigned char>(c) >= 0x80;
  };
  size_t at = 0;
  while (at < path.size() || at == 0) {
    if (at >= path.size() || path[at] != '/') return at;
    const size_t field = ++at;
    if (at < path.size() && (path[at] == '"' || path[at] == '\'')) {
      const size_t end = path.find(path[at], at + 1);
      if (end == std::string_view::npos || end == at + 1) return at;
      at = end + 1;
    } else {
      while (at < path.size() && plain(path[at])) ++at;
    }
    if (at == field) return at;
  }
  return std::nullopt;
}

}  // namespace

Status ReadPartitionKey(const Value& json, gateway::ContainerSettings& settings) {
  settings.partition_key_paths.clear();
  if (IsSystemKey(json)) return {};
  const Value* paths = json.Find("paths");
  if (paths == nullptr || paths->kind() != Kind::kArray || paths->AsValues().empty())
    return BadPartitionKey("'paths' must be an array of paths, such as [\"/deviceId\"]");
  for (const Value& path : paths->AsValues()) {
    if (path.kind() != Kind::kString) return BadPartitionKey("a path must be a string");
    if (const auto fault = FaultOf(path.AsString()); fault.has_value()) {
      return BadPartitionKey(fmt::format(
          "The partition key component definition path '{}' could not be accepted, failed near "
          "position '{}'. Partition key paths must contain only valid characters and not contain a "
          "trailing slash or wildcard character.",
          path.AsString(), *fault));
    }
    settings.partition_key_paths.push_back(path.AsString());
  }
  ORRERY_ASSIGN(const int64_t version, VersionOf(json));
  ORRERY_ASSIGN(const bool hierarchy, IsHierarchy(json));
  if (!hierarchy && settings.partition_key_paths.size() > 1)
    return BadPartitionKey("Too many partition key paths: several need the kind MultiHash");
  if (hierarchy && version != 2) return BadPartitionKey("the kind MultiHash needs version 2");
  settings.hashing = hierarchy      ? KeyHashing::kMultiHash
                     : version == 2 ? KeyHashing::kV2
                                    : KeyHashing::kV1;
  return {};
}

Value SeenPartitionKey(const gateway::ContainerSettings& settings) {
  if (settings.partition_key_paths.empty()) {
    return Value::Object({{"paths", Value::Array({Value::String(std::string(kSystemPath))})},
                          {"kind", Value::String("Hash")},
                          {std::string(kSystemKey), Value::Bool(true)}});
  }
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
