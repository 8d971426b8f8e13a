// A PathRouter finds what belongs to a request by method and path.
//
// Patterns are paths whose segments are words or {parameters}: "/_admin/v1/databases/{database}".
// A path that is known under other methods has them in `allowed` (for a 405), an unknown one has
// none (404).
//
// Filled at start, then read by any thread.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "net/http/http_message.h"

namespace orrery::net {

class PathPattern {
 public:
  // REQUIRES: `pattern` begins with '/'.
  explicit PathPattern(std::string_view pattern);
  // Returns whether the segments match; then `parameters` are those of the pattern, in order,
  // decoded.
  bool Fits(const std::vector<std::string>& segments, std::vector<std::string>& parameters) const;

 private:
  std::vector<std::string> segments_;
};

template <typename Route>
class PathRouter {
 public:
  // The rest makes the Route. REQUIRES: `pattern` begins with '/'. The first of two patterns that
  // fit wins.
  template <typename... Parts>
  void Add(std::string_view method, std::string_view pattern, Parts... parts) {
    entries_.push_back({std::string(method), PathPattern(pattern), Route{std::move(parts)...}});
  }

  struct Match {
    const Route* route = nullptr;  // null when nothing fits
    std::vector<std::string> parameters{};
    // Methods that the path has, when the asked one is not among them.
    std::vector<std::string> allowed{};
  };
  // HEAD is answered by GET's route.
  Match Find(const HttpRequest& request) const {
    const std::string_view method =
        request.method == "HEAD" ? std::string_view("GET") : request.method;
    Match match;
    for (const Entry& entry : entries_) {
      if (!entry.pattern.Fits(request.segments, match.parameters)) continue;
      if (entry.method == method) {
        match.route = &entry.route;
        match.allowed.clear();
        return match;
      }
      match.allowed.push_back(entry.method);
    }
    match.parameters.clear();
    return match;
  }

 private:
  struct Entry {
    std::string method;
    PathPattern pattern;
    Route route;
  };
  std::vector<Entry> entries_;
};

}  // namespace orrery::net
