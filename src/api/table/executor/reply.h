// A Reply is what an operation answers when it was done, before it is an HTTP response or a part of
// a batch's: headers that depend on the request are fields of their own.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/table/protocol/request_options.h"
#include "base/request_units.h"

namespace orrery::table {

struct Reply {
  int status = 200;
  std::string body{};
  bool is_xml = false;         // the body; else JSON
  std::string content_type{};  // where that is neither
  std::string etag{};
  std::string location{};  // of what was written
  Preference applied = Preference::kNone;
  RequestUnits charge{};
  std::vector<std::pair<std::string, std::string>> headers{};  // all others
};

}  // namespace orrery::table
