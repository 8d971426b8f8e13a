#include "net/http/host_rule.h"

#include <algorithm>
#include <array>
#include <utility>

#include "net/http/http_message.h"

namespace orrery::net {
namespace {

bool IsIpAddress(std::string_view host) {
  if (host.find(':') != std::string_view::npos) return true;
  return !host.empty() && host.find_first_not_of("0123456789.") == std::string_view::npos;
}

// Returns whether the name is `domain`, or below it.
bool IsWithin(std::string_view name, std::string_view domain) {
  if (EqualsIgnoringCase(name, domain)) return true;
  if (name.size() <= domain.size()) return false;
  const size_t dot = name.size() - domain.size() - 1;
  return name[dot] == '.' && EqualsIgnoringCase(name.substr(dot + 1), domain);
}

}  // namespace

HostRule::HostRule(std::vector<std::string> names)
    : allows_all_(std::ranges::find(names, "*") != names.end()), names_(std::move(names)) {}

bool HostRule::Allows(std::string_view host_header) const {
  if (allows_all_ || host_header.empty()) return true;
  std::string_view host = HostOf(host_header);
  if (host.ends_with('.')) host.remove_suffix(1);
  if (IsIpAddress(host) || host.find('.') == std::string_view::npos) return true;
  constexpr std::array<std::string_view, 4> kReserved = {"localhost", "internal", "test",
                                                         "cluster.local"};
  const auto is_within = [&](std::string_view domain) { return IsWithin(host, domain); };
  if (std::ranges::any_of(kReserved, is_within)) return true;
  return std::ranges::any_of(
      names_, [&](const std::string& name) { return EqualsIgnoringCase(host, name); });
}

std::string_view HostOf(std::string_view host_header) {
  if (host_header.starts_with('[')) {
    const size_t end = host_header.find(']');
    return host_header.substr(1, end == std::string_view::npos ? end : end - 1);
  }
  return host_header.substr(0, host_header.find(':'));
}

bool IsSameOrigin(std::string_view origin, std::string_view host_header) {
  const size_t scheme = origin.find("://");
  if (scheme == std::string_view::npos) return false;
  return EqualsIgnoringCase(HostOf(origin.substr(scheme + 3)), HostOf(host_header));
}

}  // namespace orrery::net
