// A NodeDescriptor is what the other nodes of a cluster, and through them clients, know of a node.
//
//   descriptor := version:uint8 (2) id:varint host_id:bytes peer_address:bytes peer_port:uint16
//                 client_address:bytes sql_port:uint16 cassandra_port:uint16 software:bytes
//                 store_address:bytes sql_direct_port:uint16
//
// Version 1 ends before the last: what another version has written must still say which it is.
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

  // Returns whether the entry in the membership list is unreadable; only `id` is known then.
  bool damaged() const { return host_id.empty(); }

  friend bool operator==(const NodeDescriptor&, const NodeDescriptor&) = default;
};

std::string EncodeNodeDescriptor(const NodeDescriptor& descriptor);
Result<NodeDescriptor> DecodeNodeDescriptor(std::string_view bytes);  // kCorruption

}  // namespace orrery::cluster
