#include "api/sql/query/query_hash.h"

#include <optional>
#include <string>

#include "base/bytes.h"
#include "base/murmur3.h"
#include "model/document/json.h"

namespace orrery::sql {
namespace {

std::string BytesOf(const QueryRequest& request, std::string_view text,
                    const std::optional<gateway::KeyValues>& key) {
  // Every part is self-delimiting, so that no two questions have the same bytes.
  std::string bytes;
  AppendVarint(bytes, request.container->id.value());
  AppendLengthPrefixed(bytes, text);
  AppendVarint(bytes, request.parameters.values().size());
  for (const auto& [name, value] : request.parameters.values()) {
    AppendLengthPrefixed(bytes, name);
    AppendLengthPrefixed(bytes, model::ToJson(*value));
  }
  AppendVarint(bytes, key.has_value() ? key->size() + 1 : 0);
  if (key.has_value()) {
    for (const model::Value& value : *key)
      AppendLengthPrefixed(bytes, value.is_undefined() ? "" : model::ToJson(value));
  }
  return bytes;
}

Hash128 HashOfAll(const QueryRequest& request, std::string_view text) {
  std::string bytes = BytesOf(request, text, request.partition_key);
  if (request.range.has_value()) {
    request.range->begin().AppendTo(bytes);
    request.range->last().AppendTo(bytes);
  }
  return Murmur3(bytes);
}

}  // namespace

uint64_t HashOf(const QueryRequest& request, std::string_view text) {
  return Murmur3(BytesOf(request, text, request.partition_key)).high;
}

uint64_t HashOfAnyKey(const QueryRequest& request, std::string_view text) {
  return Murmur3(BytesOf(request, text, std::nullopt)).high;
}

uint64_t HashWithRange(const QueryRequest& request, std::string_view text) {
  return HashOfAll(request, text).high;
}

std::string IdentityOf(const QueryRequest& request) {
  std::string identity;
  HashOfAll(request, request.text).AppendTo(identity);
  return identity;
}

}  // namespace orrery::sql
