// The few operations that show a violation: what a person looks at.
#pragma once

#include <span>
#include <vector>

#include "history/linearizability.h"
#include "history/operation.h"

namespace orrery::history {

// Operations of one key, by invocation, that cannot be explained together whatever the key held
// before them, ending with the culprit of SearchOrder. Reads without which it is still so are left
// out; operations that overlap the others and might have taken effect among them are in. When
// nothing small shows it, the culprit and what came shortly before.
std::vector<const Operation*> FindWindow(std::span<const Operation* const> operations,
                                         size_t culprit);

}  // namespace orrery::history
