// A Client is what the server knows of a client beyond its request. The connection owns it;
// statements see a snapshot (ClientPtr), because they may run after the next USE.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "api/cassandra/protocol/body/primitives.h"

namespace orrery::cassandra {

struct Client {
  std::string keyspace;  // of USE; empty at first
  std::string role;      // who logged in; empty: nobody had to
  // Of the role that logged in: one of the same name may follow it (access/role_set.h). 0: any.
  uint64_t incarnation = 0;
  bool superuser = false;  // may do anything: the account's key, or nobody had to log in
  bool read_only = false;  // logged in with a read-only key
  InetEndpoint address;    // of the peer
  // The address that it connected to, by which it reaches this node; port 0: not over a connection.
  InetEndpoint local;
};
using ClientPtr = std::shared_ptr<const Client>;

}  // namespace orrery::cassandra
