// Maps librados's results (0 or a negated errno) to the codes that ObjectStore promises.
#pragma once

#include <string_view>

#include "base/status.h"

namespace orrery::storage::rados {

// `what` says what was tried, for people: "write 7.dir". REQUIRES: result < 0.
Error RadosError(int result, std::string_view what);

// Good for any result that is not negative.
Status RadosStatus(int result, std::string_view what);

}  // namespace orrery::storage::rados
