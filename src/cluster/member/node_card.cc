#include "cluster/member/node_card.h"

#include "base/bytes.h"

namespace orrery::cluster {
namespace {

constexpr uint8_t kVersion = 1;

bool ReadText(ByteReader& reader, std::string& text) {
  std::string_view bytes;
  if (!reader.ReadLengthPrefixed(bytes)) return false;
  text = bytes;
  return true;
}

}  // namespace

std::string EncodeNodeCard(const NodeCard& card) {
  std::string bytes;
  AppendBigEndian(bytes, kVersion);
  AppendVarint(bytes, card.id.value());
  AppendLengthPrefixed(bytes, card.host_id);
  AppendLengthPrefixed(bytes, card.peer_address);
  AppendBigEndian(bytes, card.peer_port);
  AppendLengthPrefixed(bytes, card.client_address);
  AppendBigEndian(bytes, card.sql_port);
  AppendBigEndian(bytes, card.cassandra_port);
  AppendLengthPrefixed(bytes, card.software);
  AppendLengthPrefixed(bytes, card.store_address);
  return bytes;
}

Result<NodeCard> DecodeNodeCard(std::string_view bytes) {
  NodeCard card;
  ByteReader reader(bytes);
  uint8_t version = 0;
  uint64_t id = 0;
  if (!reader.ReadBigEndian(version) || version != kVersion || !reader.ReadVarint(id) ||
      !ReadText(reader, card.host_id) || !ReadText(reader, card.peer_address) ||
      !reader.ReadBigEndian(card.peer_port) || !ReadText(reader, card.client_address) ||
      !reader.ReadBigEndian(card.sql_port) || !reader.ReadBigEndian(card.cassandra_port) ||
      !ReadText(reader, card.software) || !ReadText(reader, card.store_address) ||
      !reader.empty()) {
    return Fail(Code::kCorruption, "the entry of a node in the list of the cluster is damaged");
  }
  card.id = NodeId(id);
  return card;
}

}  // namespace orrery::cluster
