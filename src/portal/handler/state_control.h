// A StateControl changes what tests want changed between each other: all data at once, and the
// time. The server has the one that does it; the admin interface's routes call it.
//
// Thread-safe. Every call may block.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/status.h"

namespace orrery::portal {

struct SnapshotInfo {
  std::string name;
  Micros taken_at{0};
  uint64_t partitions = 0;
};

class StateControl {
 public:
  virtual ~StateControl() = default;

  // All of these: kUnsupported on a cluster, kPreconditionFailed while another of them is under
  // way. After an error everything is as it was.
  virtual Status Reset() = 0;
  // kInvalidArgument for what is no name, kAlreadyExists unless it `replaces`.
  virtual Status TakeSnapshot(std::string_view name, bool replaces) = 0;
  virtual Status RestoreSnapshot(std::string_view name) = 0;  // kNotFound
  virtual Status DropSnapshot(std::string_view name) = 0;     // kNotFound
  virtual Result<std::vector<SnapshotInfo>> ListSnapshots() = 0;

  // The server's time, and by how much it is ahead of the machine's.
  struct Time {
    Micros now{0};
    Micros ahead{0};
  };
  virtual Time CurrentTime() = 0;
  // kInvalidArgument for a step back, or further than a hundred years in all.
  virtual Result<Time> AdvanceTime(Micros by) = 0;
};

}  // namespace orrery::portal
