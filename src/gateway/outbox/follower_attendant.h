// A FollowerAttendant knows what depends on the rows that a follower changes: materialized views on
// those of a logged batch. The gateway does not know views; whoever does hands one in, and attended
// followers (item/row/row_changes.h) wait until there is one.
//
// Thread-safe.
#pragma once

#include <memory>

#include "item/row/row_changes.h"
#include "item/row/row_program.h"

namespace orrery::gateway {

class FollowerAttendant {
 public:
  struct Attendance {
    // Makes the follower's changes and says what follows from them; null when nothing does, and the
    // changes are made as they are.
    std::unique_ptr<item::RowProgram> program;
    // Kept until the delivery has ended.
    std::shared_ptr<const void> pass;
  };

  virtual ~FollowerAttendant() = default;
  // What the program refuses stays undelivered, and is tried again and again: so it refuses nothing
  // that will never be good.
  virtual Attendance Attend(const item::Follower& follower) const = 0;
};

}  // namespace orrery::gateway
