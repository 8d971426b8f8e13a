// The address of a server.
#pragma once

#include <cstdint>
#include <string>

namespace orrery::bench {

struct Address {
  std::string host = "127.0.0.1";
  uint64_t port = 0;
  bool tls = false;  // any certificate is taken
};

}  // namespace orrery::bench
