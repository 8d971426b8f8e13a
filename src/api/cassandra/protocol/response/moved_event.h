// The news that a node has other tokens than before. The native protocol's text does not list it;
// Cassandra sends it since version 3 of the protocol, and drivers read the tokens anew.
#pragma once

#include <string>

#include "api/cassandra/protocol/response/response_writer.h"

namespace orrery::cassandra {

void WriteMovedEvent(std::string& out, const ResponseHead& head, const InetEndpoint& node);

}  // namespace orrery::cassandra
