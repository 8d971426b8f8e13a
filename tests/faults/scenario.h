// The stories that are told on a failing disk, one for each kind of change that must be safe.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "faults/core.h"
#include "faults/world.h"

namespace orrery::faults {

struct Scenario {
  std::string name;
  // On a sound disk, once; its result is where every trial starts.
  void (*prepare)(Core&, World&);
  // On the failing disk. Goes on, whatever fails, to its end.
  void (*run)(Core&, World&);
  bool faults_at_start = false;  // the disk fails while the core is opened, too
};

const std::vector<Scenario>& Scenarios();

inline void PrintTo(const Scenario& scenario, std::ostream* out) { *out << scenario.name; }

}  // namespace orrery::faults
