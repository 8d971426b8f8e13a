// A ClientLister lists the connected clients: for system_views.clients.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/cassandra/protocol/body/primitives.h"
#include "api/cassandra/schema/table_options.h"

namespace orrery::cassandra {

struct ClientFacts {
  enum class Stage : uint8_t { kEstablished, kAuthenticating, kReady };

  InetEndpoint address;  // of the peer
  std::optional<std::string> user;
  Stage stage = Stage::kEstablished;
  int32_t protocol_version = 0;
  OptionMap options;  // what STARTUP said; DRIVER_NAME and DRIVER_VERSION are taken from it
  uint64_t requests = 0;
  // Of a connection over TLS: its version and cipher suite.
  std::optional<std::string> tls_protocol;
  std::optional<std::string> tls_cipher_suite;
};

// Thread-safe.
class ClientLister {
 public:
  virtual ~ClientLister() = default;
  virtual std::vector<ClientFacts> ConnectedClients() const = 0;
};

}  // namespace orrery::cassandra
