// Checks that foreign bytes are one BSON document that this folder can read without further care.
#pragma once

#include <string_view>

#include "base/status.h"

namespace orrery::model {

// Lengths, types, terminators, booleans, UTF-8 in names and texts, and nesting up to
// kDocumentDepthMax. kInvalidArgument names the first offending byte.
Status ValidateBson(std::string_view bson);

}  // namespace orrery::model
