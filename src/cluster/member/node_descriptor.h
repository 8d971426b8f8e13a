// A NodeDescriptor is what the other nodes of a cluster, and through them clients, know of a node.
//
//   descriptor := version:uint8 (3) id:varint host_id:bytes peer_address:bytes peer_port:uint16
//                 client_address:bytes sql_port:uint16 cassandra_port:uint16 software:bytes
//                 store_address:bytes sql_direct_port:uint16 key_marks:bytes
//
// Version 2 ends before the last, version 1 before the last two: what another version has written
// must still say which it is.
//
//   bytes := length:varint byte*length
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/ids.h"
#include "base/status.h"

namespace orrery::cluster {

struct NodeDescriptor {
  NodeId id{};                 // of this start of the process
  std::string host_id{};       // 16 bytes: the same over restarts
  std::string peer_address{};  // where the other nodes reach it
  uint16_t peer_port = 0;
  std::string client_address{};
  uint16_t sql_port = 0;         // 0: closed
  uint16_t cassandra_port = 0;   // 0: closed
  uint16_t sql_direct_port = 0;  // 0: closed
  std::string software{};        // its version
  std::string store_address{};   // under which the object store knows it: what to blocklist
  std::string key_marks{};       // of its account's read-write keys: see HaveKeyInCommon

  // Returns whether the entry in the membership list is unreadable; only `id` is known then.
  bool damaged() const { return host_id.empty(); }

  friend bool operator==(const NodeDescriptor&, const NodeDescriptor&) = default;
};

std::string EncodeNodeDescriptor(const NodeDescriptor& descriptor);
Result<NodeDescriptor> DecodeNodeDescriptor(std::string_view bytes);  // kCorruption

// A key's mark is kKeyMarkBytes that tell keys apart, and say nothing of them to whoever has not
// the cluster's secret. Marks stand one behind the other.
inline constexpr size_t kKeyMarkBytes = 8;

// Returns whether one of the marks is in both. None at all, as of a node of a version without them,
// is in common with any.
bool HaveKeyInCommon(std::string_view marks, std::string_view others);

}  // namespace orrery::cluster
