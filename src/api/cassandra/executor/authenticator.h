// An Authenticator decides who may connect: SASL PLAIN. access_policy.h decides what a client may
// do then.
//
// Thread-safe. Must outlive every connection.
#pragma once

#include <string_view>

#include "api/cassandra/executor/client.h"
#include "api/cassandra/protocol/cql_result.h"

namespace orrery::cassandra {

class Authenticator {
 public:
  virtual ~Authenticator() = default;
  // The client that these credentials make, without its address and keyspace; kBadCredentials. May
  // block (hashing a password): not to be called on an event loop.
  virtual CqlResult<Client> Login(std::string_view user, std::string_view password) = 0;
};

}  // namespace orrery::cassandra
