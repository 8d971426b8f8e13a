// A table and one that follows it, with what their clients were told: each write of a row of the
// first has two derived writes in the second, as a materialized view would.
#pragma once

#include <string_view>
#include <vector>

#include "crash/history.h"
#include "faults/core.h"

namespace orrery::faults {

inline constexpr std::string_view kTable = "table";
inline constexpr std::string_view kView = "view";

class TrackedTables {
 public:
  void Create(Core& core);
  // Submits `count` writes at once, each to a key of its own, and waits.
  void Write(Core& core, int count);

  // Acknowledged writes are there with their derived writes, refused ones are not.
  crash::Violations CheckAnswers(Core& core) const;
  // Also, after maintenance on a sound disk: each other write is there with its derived writes or
  // not at all.
  crash::Violations CheckWhole(Core& core) const;

 private:
  crash::Violations Check(Core& core, bool settled) const;

  bool created_ = false;
  std::vector<crash::Outcome> writes_;
};

}  // namespace orrery::faults
