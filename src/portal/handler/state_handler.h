// Changes all data at once and the time, for tests: reset, snapshots, clock.
//
//   POST   reset                              204
//   GET    snapshots                          {"snapshots":[{"name","takenAtMicros","partitions"}]}
//   PUT    snapshots/{name}[?replace=true]    201
//   POST   snapshots/{name}/restore           204
//   DELETE snapshots/{name}                   204
//   GET    clock                              {"nowMicros","aheadSeconds"}
//   POST   clock/advance {"seconds": n}       the same
#pragma once

#include "base/thread_pool.h"
#include "portal/handler/state_control.h"
#include "portal/router.h"

namespace orrery::portal {

// `control` null: every one of them is refused with 403. Both must outlive the router.
void AddStateRoutes(Router& router, StateControl* control, ThreadPool& pool);

}  // namespace orrery::portal
