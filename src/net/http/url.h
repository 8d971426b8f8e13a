// URLs as text: percent-encoding, queries, request targets, host:port.
//
// Everything here is a pure function of foreign text and answers malformed input with
// kInvalidArgument. Nothing is normalised: "." and ".." segments, letter case and empty segments
// come out as they went in, so a handler that maps segments to files must refuse them itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace orrery::net {

// Escapes every byte except letters, digits and - . _ ~
std::string PercentEncode(std::string_view text);
// The inverse. '+' stays '+'. Fails on '%' without two hex digits.
Result<std::string> PercentDecode(std::string_view text);

struct QueryParameter {
  std::string name;
  std::string value;
  friend bool operator==(const QueryParameter&, const QueryParameter&) = default;
};

inline constexpr size_t kQueryParametersMax = 256;
inline constexpr size_t kPathSegmentsMax = 256;

// Splits "a=1&b=&c" at '&' and '=', decodes both sides and reads '+' as a space. Empty pieces
// ("a=1&&b=2") are skipped; order and duplicates are kept.
Result<std::vector<QueryParameter>> ParseQuery(std::string_view query);

// The parsed target of a request line.
struct RequestTarget {
  std::string path;                   // as sent, without the query: "/dbs/a%2Fb"
  std::vector<std::string> segments;  // decoded one by one, so "a%2Fb" is one: {"dbs", "a/b"}
  std::vector<QueryParameter> query;
};
// Reads origin form ("/a?b=c"), absolute form ("http://host/a?b=c") and "*". One '/' at the end of
// the path adds no segment; a fragment is refused.
Result<RequestTarget> ParseRequestTarget(std::string_view target);

struct HostPort {
  std::string host;  // IPv6 without its brackets
  uint16_t port = 0;
  friend bool operator==(const HostPort&, const HostPort&) = default;
};
// Reads "name:1", "1.2.3.4:1" and "[::1]:1". Without a port, `default_port` is taken if given.
Result<HostPort> ParseHostPort(std::string_view text,
                               std::optional<uint16_t> default_port = std::nullopt);
// The inverse, with brackets around IPv6.
std::string FormatHostPort(const HostPort& address);

struct Url {
  bool tls = false;
  HostPort address;
  std::string target;  // path and query; at least "/"
};
// Reads "http://..." (default port 80) and "https://..." (443). User names are refused.
Result<Url> ParseUrl(std::string_view text);

}  // namespace orrery::net
