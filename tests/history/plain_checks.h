// Checks of one key's history that need no search: each finds one kind of violation and names it.
//
// Each finding is a violation for certain; what they miss is for the search (linearizability.h).
// They take time in proportion to what was read, also where the search gives up.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "history/operation.h"

namespace orrery::history {

struct PlainViolation {
  std::string what;
  std::vector<const Operation*> operations;  // that show it
};

// At most one of each kind: a value that nobody wrote, or whose write was refused; an acknowledged
// write of which nothing is left; and of keys that are only appended to, an acknowledged append
// lost, one doubled, and two reads that disagree on the order. A key holds nothing at first.
std::vector<PlainViolation> CheckPlainly(std::span<const Operation* const> operations);

}  // namespace orrery::history
