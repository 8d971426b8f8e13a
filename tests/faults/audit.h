// What must hold after any fault, once the core was started again on a sound disk.
#pragma once

#include "crash/history.h"
#include "faults/core.h"
#include "faults/world.h"

namespace orrery::faults {

// Right after the start: files and records agree, the ring is covered once, containers are whole or
// absent, items and feeds are what clients were told. Then, after upkeep: indexes, unique keys,
// sizes and totals agree with the items, and the core goes on: it writes, splits and reads.
crash::Violations Audit(Core& core, World& world);

// Only what clients were told against what is read, where the faulty core still answers.
crash::Violations AuditItems(Core& core, World& world);

}  // namespace orrery::faults
