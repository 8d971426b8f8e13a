// The addresses that clients are told to connect to.
#pragma once

#include <cstdint>
#include <string>

#include "api/cassandra/protocol/body/primitives.h"

namespace orrery::cassandra {

// `address` is IPv4 or IPv6; one that stands for all of a machine's becomes this machine's own.
InetEndpoint Advertised(const std::string& address, uint16_t port);

}  // namespace orrery::cassandra
