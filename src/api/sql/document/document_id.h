// Validates the id of a document, for clients and scripts alike.
//
// Pure.
#pragma once

#include <string>

#include "base/status.h"
#include "model/document/document.h"

namespace orrery::sql {

// kInvalidArgument says what is wrong with it, or that there is none.
Result<std::string> DocumentIdOf(model::DocumentView document);

}  // namespace orrery::sql
