#include "net/http/url.h"

#include <fmt/format.h>

#include <charconv>

#include "base/bytes.h"

namespace orrery::net {
namespace {

bool IsUnreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}

Result<std::string> Decode(std::string_view text, bool plus_is_space) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%') {
      std::string byte;
      if (text.size() - i < 3 || !FromHex(text.substr(i + 1, 2), byte)) {
        return Fail(Code::kInvalidArgument,
                    "a '%' in the URL is not followed by two hexadecimal digits");
      }
      out.append(byte);
      i += 2;
    } else {
      out.push_back(text[i] == '+' && plus_is_space ? ' ' : text[i]);
    }
  }
  return out;
}

Result<std::vector<std::string>> ParsePath(std::string_view path) {
  std::vector<std::string> segments;
  if (path.starts_with('/')) path.remove_prefix(1);
  if (path.ends_with('/')) path.remove_suffix(1);
  while (!path.empty()) {
    if (segments.size() == kPathSegmentsMax) {
      return Fail(Code::kInvalidArgument,
                  fmt::format("the path has more than {} segments", kPathSegmentsMax));
    }
    const size_t end = std::min(path.find('/'), path.size());
    ORRERY_ASSIGN(std::string segment, Decode(path.substr(0, end), /*plus_is_space=*/false));
    segments.push_back(std::move(segment));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return segments;
}

Result<uint16_t> ParsePort(std::string_view text) {
  uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc() || end != text.data() + text.size()) {
    return Fail(Code::kInvalidArgument,
                fmt::format("'{}' is no port: give a number from 0 to 65535", text));
  }
  return port;
}

// Splits "scheme://authority" off the front of `rest` and returns the authority.
std::string_view TakeAuthority(std::string_view& rest) {
  const size_t end = std::min(rest.find_first_of("/?#"), rest.size());
  const std::string_view authority = rest.substr(0, end);
  rest.remove_prefix(end);
  return authority;
}

bool TakePrefix(std::string_view& text, std::string_view lower_case_prefix) {
  if (text.size() < lower_case_prefix.size()) return false;
  for (size_t i = 0; i < lower_case_prefix.size(); ++i) {
    const char c = text[i] >= 'A' && text[i] <= 'Z' ? static_cast<char>(text[i] + 32) : text[i];
    if (c != lower_case_prefix[i]) return false;
  }
  text.remove_prefix(lower_case_prefix.size());
  return true;
}

}  // namespace

std::string PercentEncode(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (IsUnreserved(c)) {
      out.push_back(c);
    } else {
      out.push_back('%');
      out.append(ToHex(std::string_view(&c, 1), /*upper=*/true));
    }
  }
  return out;
}

Result<std::string> PercentDecode(std::string_view text) {
  return Decode(text, /*plus_is_space=*/false);
}

Result<std::vector<QueryParameter>> ParseQuery(std::string_view query) {
  std::vector<QueryParameter> parameters;
  while (!query.empty()) {
    const size_t end = std::min(query.find('&'), query.size());
    const std::string_view piece = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    if (piece.empty()) continue;
    if (parameters.size() == kQueryParametersMax) {
      return Fail(Code::kInvalidArgument,
                  fmt::format("the query has more than {} parameters", kQueryParametersMax));
    }
    const size_t equals = std::min(piece.find('='), piece.size());
    ORRERY_ASSIGN(std::string name, Decode(piece.substr(0, equals), /*plus_is_space=*/true));
    ORRERY_ASSIGN(std::string value,
                  Decode(piece.substr(std::min(equals + 1, piece.size())), /*plus_is_space=*/true));
    parameters.push_back({std::move(name), std::move(value)});
  }
  return parameters;
}

Result<RequestTarget> ParseRequestTarget(std::string_view target) {
  RequestTarget result;
  if (target == "*") {
    result.path = target;
    return result;
  }
  if (TakePrefix(target, "http://") || TakePrefix(target, "https://")) {
    if (TakeAuthority(target).empty()) return Fail(Code::kInvalidArgument, "the URL names no host");
  } else if (!target.starts_with('/')) {
    return Fail(Code::kInvalidArgument, "the request target must start with '/'");
  }
  if (target.find('#') != std::string_view::npos) {
    return Fail(Code::kInvalidArgument, "the request target has a fragment");
  }
  const size_t path_end = std::min(target.find('?'), target.size());
  result.path = path_end == 0 ? "/" : target.substr(0, path_end);
  ORRERY_ASSIGN(result.segments, ParsePath(result.path));
  ORRERY_ASSIGN(result.query, ParseQuery(target.substr(std::min(path_end + 1, target.size()))));
  return result;
}

Result<HostPort> ParseHostPort(std::string_view text, std::optional<uint16_t> default_port) {
  std::string_view host = text;
  std::optional<std::string_view> port;
  if (text.starts_with('[')) {
    const size_t bracket = text.find(']');
    if (bracket == std::string_view::npos) {
      return Fail(Code::kInvalidArgument, fmt::format("'{}' has no closing ']'", text));
    }
    host = text.substr(1, bracket - 1);
    const std::string_view rest = text.substr(bracket + 1);
    if (rest.starts_with(':')) {
      port = rest.substr(1);
    } else if (!rest.empty()) {
      return Fail(Code::kInvalidArgument,
                  fmt::format("'{}' has text after ']' that is no port", text));
    }
  } else if (const size_t colon = text.find(':'); colon != std::string_view::npos) {
    host = text.substr(0, colon);
    port = text.substr(colon + 1);
    if (port->find(':') != std::string_view::npos) {
      return Fail(Code::kInvalidArgument,
                  fmt::format("write the IPv6 address in brackets: [{}]", text));
    }
  }
  if (host.empty()) return Fail(Code::kInvalidArgument, fmt::format("'{}' names no host", text));
  if (!port && !default_port) {
    return Fail(Code::kInvalidArgument, fmt::format("'{}' has no port: write host:port", text));
  }
  HostPort result{std::string(host), default_port.value_or(0)};
  if (port) {
    ORRERY_ASSIGN(result.port, ParsePort(*port));
  }
  return result;
}

std::string FormatHostPort(const HostPort& address) {
  const bool bracketed = address.host.find(':') != std::string::npos;
  return fmt::format("{}{}{}:{}", bracketed ? "[" : "", address.host, bracketed ? "]" : "",
                     address.port);
}

Result<Url> ParseUrl(std::string_view text) {
  Url url;
  std::string_view rest = text;
  if (TakePrefix(rest, "https://")) {
    url.tls = true;
  } else if (!TakePrefix(rest, "http://")) {
    return Fail(Code::kInvalidArgument,
                fmt::format("'{}' does not start with http:// or https://", text));
  }
  const std::string_view authority = TakeAuthority(rest);
  if (authority.find('@') != std::string_view::npos) {
    return Fail(Code::kInvalidArgument, "user names in URLs are not supported");
  }
  const uint16_t default_port = url.tls ? 443 : 80;
  ORRERY_ASSIGN(url.address, ParseHostPort(authority, default_port));
  url.target = rest.substr(0, rest.find('#'));
  if (!url.target.starts_with('/')) url.target.insert(0, "/");
  return url;
}

}  // namespace orrery::net
