#include "cluster/record/ownership_record.h"

#include "base/bytes.h"

namespace orrery::cluster {

std::string OwnershipKey(PartitionId id) {
  std::string key(kOwnershipPrefix);
  AppendBigEndian(key, id.value());
  return key;
}

std::string EncodeOwner(NodeId owner) {
  std::string bytes;
  AppendVarint(bytes, owner.value());
  return bytes;
}

Result<Ownership> DecodeOwnership(std::string_view key, std::string_view value) {
  ByteReader name(key.substr(kOwnershipPrefix.size()));
  ByteReader reader(value);
  uint64_t id = 0;
  uint64_t owner = 0;
  if (!name.ReadBigEndian(id) || !name.empty() || !reader.ReadVarint(owner) || !reader.empty())
    return Fail(Code::kCorruption, "the record '" + ToHex(key) + "' of an owner is damaged");
  return Ownership{PartitionId(id), NodeId(owner)};
}

}  // namespace orrery::cluster
