// Internet addresses: 4 or 16 bytes in network order, and their text as Java has it.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace orrery::cassandra {

// Dotted or colon notation, an IPv6 one also in brackets. Unlike Cassandra, no host names: a
// statement must not wait for a name server. An IPv4-mapped address (::ffff:1.2.3.4) becomes the
// IPv4 one.
Result<std::string> ParseInet(std::string_view text);

// "10.0.0.1"; IPv6 without any shortening of zeros ("2001:db8:0:0:0:0:0:1").
// REQUIRES: 4 or 16 bytes.
std::string InetText(std::string_view bytes);

}  // namespace orrery::cassandra
