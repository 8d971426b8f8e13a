// Finds the operations of unknown outcome that cannot matter: a search without them is quick, and
// finds the same.
#pragma once

#include <span>
#include <vector>

#include "history/operation.h"

namespace orrery::history {

// `operations` of one key without writes and appends of unknown outcome whose value nobody saw or
// expected, alone or in a list. Such a one can be taken out of any explanation: what came between
// it and the next write or deletion saw nothing of it. Not so where a cas only says what it did not
// find; then all stay.
std::vector<const Operation*> WithoutUnobserved(std::span<const Operation* const> operations);

}  // namespace orrery::history
