// The address of a listener and its limits. Plain values, so that public headers of servers can
// hold them without including any networking library.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace orrery::net {

class ClientBudget;

struct ListenerOptions {
  std::string name = "http";           // the "listener" label of its metrics
  std::string address = "127.0.0.1";   // an IP address; "0.0.0.0" or "::" for all
  uint16_t port = 0;                   // 0: the listener chooses
  std::string port_option = "--port";  // what to tell the user to change when the port is taken
  size_t connections_max = 10'000;     // more are closed as soon as they are accepted
  // The connections and bytes of all listeners; null: only the above holds.
  std::shared_ptr<ClientBudget> clients = nullptr;
  // Connections that may be had beyond the budget's, for one request each: of a port for health
  // checks and administrators.
  size_t connections_reserve = 0;
  // From accepting to the first byte, and from there to the end of the TLS handshake.
  std::chrono::milliseconds handshake_timeout{10'000};
  // The interval at which deadlines are checked: a time-out may be noticed that much late.
  std::chrono::milliseconds sweep_interval{500};
};

}  // namespace orrery::net
