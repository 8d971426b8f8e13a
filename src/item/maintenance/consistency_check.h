// Checks that everything stored about items agrees: index, unique, size, expiry and feed entries
// and the running totals must be exactly what the records call for.
//
// For crash tests and for an administrator who doubts a disk. Reads all of it in one snapshot; may
// run beside writers, blocks on the disk, changes nothing. Entries of expired items may be partly
// gone (compaction drops them one by one); what is left of them must be void.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "item/container_schema.h"
#include "partition/map/hash_range.h"
#include "storage/engine/engine.h"

namespace orrery::item {

struct CheckedSlice {
  std::shared_ptr<const ContainerSchema> schema;
  partition::HashRange range;
};

struct CheckOptions {
  Micros now{0};
  size_t reported_max = 20;
  // False between a split and its recount, when the totals are estimates.
  bool totals_are_exact = true;
};

struct CheckReport {
  uint64_t items = 0;
  uint64_t index_entries = 0;
  uint64_t unique_entries = 0;
  uint64_t feed_entries = 0;  // of live versions
  uint64_t disagreements = 0;
  std::vector<std::string> reported;  // the first of them, as text

  bool ok() const { return disagreements == 0; }
  // "3 disagreements: ..." for logs and test failures.
  std::string ToString() const;
};

// An Error only when the engine cannot be read.
// REQUIRES: no policy change is under way (ContainerSchema::former_indexing is empty).
Result<CheckReport> CheckConsistency(const storage::Engine& engine,
                                     const std::vector<CheckedSlice>& slices,
                                     const CheckOptions& options);

}  // namespace orrery::item
