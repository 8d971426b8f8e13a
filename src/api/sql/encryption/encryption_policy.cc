#include "api/sql/encryption/encryption_policy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "api/sql/container/kept_properties.h"

namespace orrery::sql {
namespace {

using model::Kind;
using model::Value;

constexpr std::string_view kOnlyAlgorithm = "AEAD_AES_256_CBC_HMAC_SHA256";
constexpr std::string_view kDeterministic = "Deterministic";
constexpr std::string_view kRandomized = "Randomized";
constexpr int64_t kFormatMax = 2;

std::unexpected<Error> Bad(std::string message) {
  return Fail(Code::kInvalidArgument, "clientEncryptionPolicy: " + std::move(message));
}

Result<int64_t> FormatOf(const Value& policy) {
  const Value* version = policy.Find("policyFormatVersion");
  if (version == nullptr || version->is_null()) return 1;
  const bool integer = version->kind() == Kind::kInt32 || version->kind() == Kind::kInt64;
  if (!integer || version->AsInteger() < 1 || version->AsInteger() > kFormatMax)
    return Bad("'policyFormatVersion' must be 1 or 2");
  return version->AsInteger();
}

// Returns whether documents are addressed by the value at the path, so that it must always be
// encrypted alike.
bool Addresses(std::string_view path, const std::vector<std::string>& partition_key_paths) {
  return path == "/id" || std::ranges::any_of(partition_key_paths, [&](const std::string& key) {
           return key == path || key.starts_with(std::string(path) + "/");
         });
}

Status CheckPath(const Value& included, int64_t format,
                 const std::vector<std::string>& partition_key_paths) {
  const std::string path = TextField(included, "path");
  if (path.size() < 2 || path.front() != '/') return Bad("a path must begin with '/'");
  if (path.find('/', 1) != std::string::npos)
    return Bad(fmt::format("path '{}': only properties at the top can be encrypted", path));
  const std::string type = TextField(included, "encryptionType");
  if (type != kDeterministic && type != kRandomized)
    return Bad(
        fmt::format("path '{}': 'encryptionType' must be Deterministic or Randomized", path));
  if (TextField(included, "encryptionAlgorithm") != kOnlyAlgorithm)
    return Bad(fmt::format("path '{}': 'encryptionAlgorithm' must be {}", path, kOnlyAlgorithm));
  if (!Addresses(path, partition_key_paths)) return {};
  if (format < kFormatMax) {
    return Bad(fmt::format(
        "path '{}': an id or partition key is encrypted with 'policyFormatVersion' 2 only", path));
  }
  if (type != kDeterministic) {
    return Bad(fmt::format("path '{}': an id or partition key must have the encryption type {}",
                           path, kDeterministic));
  }
  return {};
}

}  // namespace

Status CheckEncryptionPolicy(const Value& policy, const EncryptionKeys& keys,
                             const std::vector<std::string>& partition_key_paths) {
  if (policy.is_undefined() || policy.is_null()) return {};
  ORRERY_ASSIGN(const int64_t format, FormatOf(policy));
  const Value* included = policy.Find("includedPaths");
  if (included == nullptr || included->kind() != Kind::kArray)
    return Bad("'includedPaths' is required and must be an array");
  std::set<std::string> unknown;
  for (const Value& path : included->AsValues()) {
    std::string key = TextField(path, "clientEncryptionKeyId");
    if (!keys.Has(key)) unknown.insert(std::move(key));
  }
  if (!unknown.empty()) {
    return Bad(
        fmt::format("ClientEncryptionKey with id '[{}]' does not exist.", fmt::join(unknown, ",")));
  }
  std::set<std::string> paths;
  for (const Value& path : included->AsValues()) {
    ORRERY_TRY(CheckPath(path, format, partition_key_paths));
    const std::string text = TextField(path, "path");
    if (!paths.insert(text).second) return Bad(fmt::format("Duplicate Path found: {}.", text));
  }
  return {};
}

}  // namespace orrery::sql
