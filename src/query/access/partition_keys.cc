#include "query/access/partition_keys.h"

#include <algorithm>

namespace orrery::query {
namespace {

// Returns whether documents can have such a key: longer ones are refused when they are written.
bool CanBeKey(const gateway::KeyValues& key, const item::ContainerSchema& schema) {
  constexpr size_t kKeyBytesMax = partition::Limits{}.partition_key_bytes_max;
  size_t bytes = 0;
  for (const model::Value& value : key)
    bytes += value.kind() == model::Kind::kString ? value.AsString().size() : sizeof(double);
  return bytes <
         (schema.hashing == partition::KeyHashing::kV1 ? gateway::kV1KeyBytesMax : kKeyBytesMax);
}

}  // namespace

std::optional<gateway::KeyValues> PartitionKeyOf(const std::vector<Predicate>& predicates,
                                                 const item::ContainerSchema& schema) {
  gateway::KeyValues key;
  for (const model::Path& path : schema.partition_key_paths) {
    const auto found = std::ranges::find_if(predicates, [&](const Predicate& predicate) {
      return predicate.equal.has_value() && predicate.path.IsAt(path.steps());
    });
    if (found == predicates.end()) break;
    key.push_back(*found->equal);
  }
  const bool is_hierarchical = schema.hashing == partition::KeyHashing::kMultiHash;
  const bool is_whole = key.size() == schema.partition_key_paths.size();
  if (key.empty() || (!is_whole && !is_hierarchical) || !CanBeKey(key, schema)) return std::nullopt;
  return key;
}

bool IsWholeKey(const std::optional<gateway::KeyValues>& key, const item::ContainerSchema& schema) {
  return key.has_value() && !schema.partition_key_paths.empty() &&
         key->size() == schema.partition_key_paths.size();
}

}  // namespace orrery::query
