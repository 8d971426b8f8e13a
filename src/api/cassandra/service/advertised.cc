#include "api/cassandra/service/advertised.h"

#include <arpa/inet.h>

#include <cstring>

namespace orrery::cassandra {

InetEndpoint Advertised(const std::string& address, uint16_t port) {
  InetEndpoint endpoint;
  endpoint.port = port;
  in_addr four{};
  in6_addr six{};
  if (inet_pton(AF_INET, address.c_str(), &four) == 1) {
    if (four.s_addr == 0) four.s_addr = htonl(INADDR_LOOPBACK);
    std::memcpy(endpoint.address.storage.data(), &four, sizeof(four));
    endpoint.address.size = sizeof(four);
  } else if (inet_pton(AF_INET6, address.c_str(), &six) == 1) {
    if (IN6_IS_ADDR_UNSPECIFIED(&six)) six = in6addr_loopback;
    std::memcpy(endpoint.address.storage.data(), &six, sizeof(six));
    endpoint.address.size = sizeof(six);
  }
  return endpoint;
}

}  // namespace orrery::cassandra
