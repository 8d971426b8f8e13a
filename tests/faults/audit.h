// Checks what must hold after any fault, once the core was started again on a sound disk.
#pragma once

#include "crash/history.h"
#include "faults/core.h"
#include "faults/world.h"

namespace orrery::faults {

// Right after the start: files and records agree, the ring is covered once, containers are whole or
// absent, items, rows and feeds are what clients were told. Then, after maintenance: indexes,
// unique keys, sizes and totals agree with the items, and the core goes on: it writes, splits and
// reads.
crash::Violations Audit(Core& core, World& world);

// Only what must hold when acknowledged writes were lost: files and records agree, the ring is
// covered once, and every partition is consistent in itself.
crash::Violations AuditConsistency(Core& core, World& world);

// For a core whose disk has failed and works again, without a new start: what clients were told
// against what is read, at once and after it has healed; then every container takes writes.
crash::Violations AuditHealing(Core& core, World& world);

}  // namespace orrery::faults
