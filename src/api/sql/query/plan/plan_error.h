// Why a query has no plan.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace orrery::sql {

// kUnsupported: only the server can execute it.
inline std::unexpected<Error> OnlyHere(std::string_view what) {
  return Fail(Code::kUnsupported,
              std::string(what) + " cannot be executed partition by partition by a client");
}

}  // namespace orrery::sql
