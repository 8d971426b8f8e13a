// What the id of a document may be, whoever writes it: a client or a script.
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
