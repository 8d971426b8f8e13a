#include "portal/router.h"

#include <utility>

#include "base/check.h"

namespace orrery::portal {
namespace {

bool IsParameter(std::string_view segment) {
  return segment.starts_with('{') && segment.ends_with('}');
}

bool Fits(const std::vector<std::string>& pattern, const std::vector<std::string>& segments,
          std::vector<std::string>& parameters) {
  if (pattern.size() != segments.size()) return false;
  parameters.clear();
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (IsParameter(pattern[i])) {
      parameters.push_back(segments[i]);
    } else if (pattern[i] != segments[i]) {
      return false;
    }
  }
  return true;
}

}  // namespace

void Router::Add(std::string_view method, std::string_view pattern, Guard guard, Handler handler) {
  ORRERY_CHECK(pattern.starts_with('/'));
  Route route{std::string(method), {}, guard, std::move(handler)};
  std::string_view rest = pattern.substr(1);
  while (!rest.empty()) {
    const size_t slash = rest.find('/');
    route.segments.emplace_back(rest.substr(0, slash));
    rest = slash == std::string_view::npos ? std::string_view() : rest.substr(slash + 1);
  }
  routes_.push_back(std::move(route));
}

Router::Match Router::Find(const net::HttpRequest& request) const {
  const std::string_view method =
      request.method == "HEAD" ? std::string_view("GET") : request.method;
  Match match;
  for (const Route& route : routes_) {
    if (!Fits(route.segments, request.segments, match.parameters)) continue;
    if (route.method == method) {
      match.route = &route;
      match.allowed.clear();
      return match;
    }
    match.allowed.push_back(route.method);
  }
  match.parameters.clear();
  return match;
}

}  // namespace orrery::portal
