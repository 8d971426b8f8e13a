#include "cluster/member/node_descriptor.h"

#include "base/bytes.h"

namespace orrery::cluster {
namespace {

constexpr uint8_t kNodeDescriptorVersion = 3;
constexpr uint8_t kWithoutKeyMarks = 2;    // ends before them
constexpr uint8_t kWithoutDirectPort = 1;  // ends before it

bool ReadText(ByteReader& reader, std::string& text) {
  std::string_view bytes;
  if (!reader.ReadLengthPrefixed(bytes)) return false;
  text = bytes;
  return true;
}

}  // namespace

std::string EncodeNodeDescriptor(const NodeDescriptor& descriptor) {
  std::string bytes;
  AppendBigEndian(bytes, kNodeDescriptorVersion);
  AppendVarint(bytes, descriptor.id.value());
  AppendLengthPrefixed(bytes, descriptor.host_id);
  AppendLengthPrefixed(bytes, descriptor.peer_address);
  AppendBigEndian(bytes, descriptor.peer_port);
  AppendLengthPrefixed(bytes, descriptor.client_address);
  AppendBigEndian(bytes, descriptor.sql_port);
  AppendBigEndian(bytes, descriptor.cassandra_port);
  AppendLengthPrefixed(bytes, descriptor.software);
  AppendLengthPrefixed(bytes, descriptor.store_address);
  AppendBigEndian(bytes, descriptor.sql_direct_port);
  AppendLengthPrefixed(bytes, descriptor.key_marks);
  return bytes;
}

Result<NodeDescriptor> DecodeNodeDescriptor(std::string_view bytes) {
  NodeDescriptor descriptor;
  ByteReader reader(bytes);
  uint8_t version = 0;
  uint64_t id = 0;
  if (!reader.ReadBigEndian(version) || version < kWithoutDirectPort ||
      version > kNodeDescriptorVersion || !reader.ReadVarint(id) ||
      !ReadText(reader, descriptor.host_id) || !ReadText(reader, descriptor.peer_address) ||
      !reader.ReadBigEndian(descriptor.peer_port) || !ReadText(reader, descriptor.client_address) ||
      !reader.ReadBigEndian(descriptor.sql_port) ||
      !reader.ReadBigEndian(descriptor.cassandra_port) || !ReadText(reader, descriptor.software) ||
      !ReadText(reader, descriptor.store_address) ||
      (version != kWithoutDirectPort && !reader.ReadBigEndian(descriptor.sql_direct_port)) ||
      (version > kWithoutKeyMarks && !ReadText(reader, descriptor.key_marks)) || !reader.empty()) {
    return Fail(Code::kCorruption, "the entry of a node in the list of the cluster is damaged");
  }
  descriptor.id = NodeId(id);
  return descriptor;
}

bool HaveKeyInCommon(std::string_view marks, std::string_view others) {
  if (marks.empty() || others.empty()) return true;
  for (size_t at = 0; at + kKeyMarkBytes <= marks.size(); at += kKeyMarkBytes) {
    for (size_t other = 0; other + kKeyMarkBytes <= others.size(); other += kKeyMarkBytes) {
      if (marks.substr(at, kKeyMarkBytes) == others.substr(other, kKeyMarkBytes)) return true;
    }
  }
  return false;
}

}  // namespace orrery::cluster
