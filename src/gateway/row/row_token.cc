#include "gateway/row/row_token.h"

#include "base/bytes.h"
#include "partition/key/cassandra_key.h"

namespace orrery::gateway {

int64_t TokenOf(std::string_view serialized_key) {
  return partition::CassandraToken(partition::CassandraPosition(serialized_key));
}

int64_t TokenOf(Hash128 position) { return partition::CassandraToken(position); }

Result<std::string> JoinKeyComponents(std::span<const std::string_view> components) {
  return partition::JoinCassandraKey(components);
}

Result<std::vector<std::string_view>> SplitKeyComponents(std::string_view serialized_key,
                                                         size_t count) {
  std::vector<std::string_view> components;
  if (count == 1) {
    components.push_back(serialized_key);
    return components;
  }
  components.reserve(count);
  std::string_view rest = serialized_key;
  while (components.size() < count) {
    if (rest.size() < 3) return Fail(Code::kCorruption, "a composite key ends too early");
    const size_t size = LoadBigEndian<uint16_t>(rest.data());
    if (rest.size() < size + 3) return Fail(Code::kCorruption, "a composite key ends too early");
    components.push_back(rest.substr(2, size));
    rest.remove_prefix(size + 3);
  }
  if (!rest.empty()) return Fail(Code::kCorruption, "a composite key has too many components");
  return components;
}

std::optional<partition::HashRange> RangeOfTokens(int64_t first, int64_t last) {
  if (first > last) return std::nullopt;
  return partition::HashRange::Inclusive(partition::RangeOfToken(first).begin(),
                                         partition::RangeOfToken(last).last());
}

}  // namespace orrery::gateway
