// A RequestRunner runs what a request asks for, text or bytecode, on the graphs that it names, and
// gives the results to its AnswerSender.
//
// A request that only reads is answered while it runs. One that writes is answered when its writes
// are stored; if another request was faster it is run again, on what is stored then.
//
// Thread-safe; Run blocks, TryPoint does not.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "api/gremlin/executor/run.h"
#include "api/gremlin/graph/graph_transaction.h"
#include "api/gremlin/parser/parser.h"
#include "api/gremlin/server/answer_sender.h"
#include "api/gremlin/server/graph_directory.h"
#include "base/request_meter.h"
#include "gateway/account/accounts.h"
#include "gateway/fault/fault_plan.h"
#include "gateway/gateway.h"

namespace orrery::gremlin {

// The rights of a client, and the graph that they are for if it names none.
struct Login {
  std::string graph{kDefaultGraph};
  gateway::Access access = gateway::Access::kReadWrite;
};

struct KeptLookups;

class RequestRunner {
 public:
  // All must outlive it.
  struct Parts {
    gateway::Gateway& gateway;
    const Clock& clock;
    std::function<uint64_t()> random;
    RequestMeter* meter = nullptr;         // where requests are counted; null: nowhere
    gateway::FaultPlan* faults = nullptr;  // null: there are none on demand
    KeptLookups* lookups = nullptr;        // what is kept in memory of graphs; null: nothing
  };
  explicit RequestRunner(Parts parts);

  // Answers eval and bytecode. REQUIRES: the request's op is one of these.
  void Run(const Request& request, const Login& login, const RequestContext& context,
           AnswerSender& answer) const;
  // Answers a request for one vertex of a graph without a user's partition key, `g.V(id)`, if
  // memory has what it needs. Returns false otherwise: nothing was sent, call Run.
  bool TryPoint(const Request& request, const Login& login, const RequestContext& context,
                AnswerSender& answer) const;

 private:
  struct Query;
  class Evaluation;

  bool may_meet_faults() const { return parts_.faults != nullptr && parts_.faults->armed(); }
  UuidBytes NewUuid() const;

  const Parts parts_;
  const GraphDirectory graphs_;
};

}  // namespace orrery::gremlin
