// Checks a whole history, key by key, and says what is wrong with it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "history/linearizability.h"
#include "history/operation.h"

namespace orrery::history {

struct Violation {
  std::string key;
  std::vector<std::string> what;             // most telling first
  std::vector<const Operation*> operations;  // that show it, by invocation
};

struct HistoryReport {
  uint64_t operations = 0;
  uint64_t keys = 0;
  std::vector<Violation> violations;   // one for each key that has one, in order of keys
  std::vector<std::string> undecided;  // keys whose operations overlap too much to search

  bool holds() const { return violations.empty() && undecided.empty(); }
};

// The report refers to `operations`, which must outlive it. A key holds nothing at first.
HistoryReport CheckHistory(std::span<const Operation> operations, const SearchLimits& limits = {});

// For people: a line, and for each violation (at most `shown_max`) its operations in a table.
std::string ToText(const HistoryReport& report, size_t shown_max = 10);

}  // namespace orrery::history
