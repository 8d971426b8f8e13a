// Faults on demand, as clients of the SQL API see them: statuses with substatus and headers, late
// answers, connections that end.
#pragma once

#include "api/sql/handler/call.h"
#include "gateway/catalog/catalog.h"
#include "gateway/fault/fault_plan.h"

namespace orrery::sql {

// Decides whether the call meets a fault. Returns true if the call is taken care of: it is answered,
// or its handler will be called later. Else the caller goes on with it. All but the call must
// outlive it.
bool MeetsFault(gateway::FaultPlan& faults, const gateway::Catalog& catalog, Call& call,
                const Handler& handler);

}  // namespace orrery::sql
