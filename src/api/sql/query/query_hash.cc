#include "api/sql/query/query_hash.h"

#include <string>

#include "base/bytes.h"
#include "base/murmur3.h"
#include "model/document/json.h"

namespace orrery::sql {
namespace {

std::string BytesOf(const QueryRequest& request, std::string_view text) {
  // Every part is self-delimiting, so that no two questions have the same bytes.
  std::string bytes;
  AppendVarint(bytes, request.container->id.value());
  AppendLengthPrefixed(bytes, text);
  AppendVarint(bytes, request.parameters.values().size());
  for (const auto& [name, value] : request.parameters.values()) {
    AppendLengthPrefixed(bytes, name);
    AppendLengthPrefixed(bytes, model::ToJson(*value));
  }
  AppendVarint(bytes, request.partition_key.has_value() ? request.partition_key->size() + 1 : 0);
  if (request.partition_key.has_value()) {
    for (const model::Value& value : *request.partition_key)
      AppendLengthPrefixed(bytes, value.is_undefined() ? "" : model::ToJson(value));
  }
  return bytes;
}

}  // namespace

uint64_t HashOf(const QueryRequest& request, std::string_view text) {
  return Murmur3(BytesOf(request, text)).high;
}

uint64_t HashWithRange(const QueryRequest& request, std::string_view text) {
  std::string bytes = BytesOf(request, text);
  if (request.range.has_value()) {
    request.range->begin().AppendTo(bytes);
    request.range->last().AppendTo(bytes);
  }
  return Murmur3(bytes).high;
}

}  // namespace orrery::sql
