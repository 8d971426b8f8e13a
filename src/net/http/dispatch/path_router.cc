#include "net/http/dispatch/path_router.h"

#include "base/check.h"

namespace orrery::net {
namespace {

bool IsParameter(std::string_view segment) {
  return segment.starts_with('{') && segment.ends_with('}');
}

}  // namespace

PathPattern::PathPattern(std::string_view pattern) {
  ORRERY_CHECK(pattern.starts_with('/'));
  std::string_view rest = pattern.substr(1);
  while (!rest.empty()) {
    const size_t slash = rest.find('/');
    segments_.emplace_back(rest.substr(0, slash));
    rest = slash == std::string_view::npos ? std::string_view() : rest.substr(slash + 1);
  }
}

bool PathPattern::Fits(const std::vector<std::string>& segments,
                       std::vector<std::string>& parameters) const {
  if (segments_.size() != segments.size()) return false;
  parameters.clear();
  for (size_t i = 0; i < segments_.size(); ++i) {
    if (IsParameter(segments_[i])) {
      parameters.push_back(segments[i]);
    } else if (segments_[i] != segments[i]) {
      return false;
    }
  }
  return true;
}

}  // namespace orrery::net
