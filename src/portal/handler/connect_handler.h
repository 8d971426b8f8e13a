// Serves GET connect: how clients reach the server, with endpoints as the caller sees the host. The
// key is told only to those who may write and ask for it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "net/http/http_message.h"
#include "portal/explorer/origin_rule.h"
#include "portal/router.h"

namespace orrery::portal {

struct ConnectReport {
  bool has_tls = false;
  bool only_tls = false;  // plain connections are refused
  std::string account;
  std::string key;
  std::string datacenter;
  std::vector<std::pair<std::string, uint16_t>> ports;       // those that are open, by API
  std::vector<std::pair<std::string, std::string>> strings;  // connection strings, by API
};
// `host` is what clients reach the server by; without `with_key` a word stands where the key would.
using ConnectSource = std::function<ConnectReport(const std::string& host, bool with_key)>;

struct ConnectParts {
  ConnectSource source;
  const OriginRule& origin;
  std::function<bool(const net::HttpRequest&)> may_write;
};

// All must outlive the router.
void AddConnectRoutes(Router& router, ConnectParts parts);

}  // namespace orrery::portal
