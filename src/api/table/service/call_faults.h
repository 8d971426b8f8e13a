// Faults on demand, as clients of the Table API see them: error codes of the service, late answers,
// connections that end. The service has no words for 410 and 449: they are ServerBusy.
#pragma once

#include "api/table/executor/call.h"
#include "gateway/fault/fault_plan.h"
#include "net/http/dispatch/http_call.h"

namespace orrery::table {

// Decides whether the call meets a fault. Returns true if the call is taken care of: it is answered,
// or its handler will be called later. Else the caller goes on with it. `faults` and `handler` must
// outlive it.
bool MeetsFault(gateway::FaultPlan& faults, Call& call, const net::CallHandler<Call>& handler);

}  // namespace orrery::table
