// A ViewMaintenanceHook knows what depends on the rows that a derived write changes: materialized
// views on those of a logged batch. The gateway does not know views; whoever does hands one in, and
// derived writes that maintain views (item/row/row_changes.h) wait until there is one.
//
// Thread-safe.
#pragma once

#include <memory>

#include "item/row/row_changes.h"
#include "item/row/row_program.h"

namespace orrery::gateway {

class ViewMaintenanceHook {
 public:
  struct Plan {
    // Makes the derived write's changes and says what follows from them; null when nothing does,
    // and the changes are made as they are.
    std::unique_ptr<item::RowProgram> program;
    // Kept until the delivery has ended.
    std::shared_ptr<const void> pass;
  };

  virtual ~ViewMaintenanceHook() = default;
  // A derived write that the program refuses stays undelivered, and is tried again and again: so
  // the program must not refuse what can never succeed.
  virtual Plan PlanFor(const item::DerivedWrite& derived_write) const = 0;
};

}  // namespace orrery::gateway
