// The Table API of Azure Cosmos DB and Azure Storage: takes HTTP requests, finds out what they ask
// for and whether they may, and gives them to the command that does it.
//
// One service serves several ports, each in its dialect. Thread-safe. Must outlive the servers that
// call it.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "api/table/auth/authorizer.h"
#include "api/table/executor/call.h"
#include "api/table/executor/parts.h"
#include "api/table/service/table_query_runner.h"
#include "base/clock.h"
#include "base/request_meter.h"
#include "gateway/account/accounts.h"
#include "gateway/fault/fault_plan.h"
#include "gateway/gateway.h"
#include "net/http/dispatch/handler_table.h"
#include "net/http/dispatch/request_ids.h"
#include "net/http/http_responder.h"

namespace orrery::table {

// The account that Azurite and the storage emulator have, with the key that everybody knows.
inline constexpr std::string_view kStorageEmulatorAccount = "devstoreaccount1";
inline constexpr std::string_view kStorageEmulatorKey =
    "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

gateway::AccountKeys StorageEmulatorKeys();

struct TableOptions {
  bool require_tls = false;  // requests that came in the clear are refused
};

class TableService {
 public:
  // All must outlive it.
  struct Parts {
    gateway::Gateway& gateway;
    const Clock& clock;
    const Clock& client_clock;  // by which the dates of signatures are judged
    // The first is that of requests whose path names none.
    std::vector<const gateway::Accounts*> accounts;
    MetricsRegistry* metrics = nullptr;    // null: requests are not counted
    gateway::FaultPlan* faults = nullptr;  // null: there are none on demand
  };
  TableService(TableOptions options, Parts parts);

  // Answers one request. Never blocks: for an event loop.
  void Handle(net::HttpRequest request, net::HttpResponder responder, Dialect dialect);
  // Returns the answer to a request that is refused whatever its body says.
  std::optional<net::HttpResponse> Refusal(const net::HttpRequest& head, Dialect dialect);
  // Runs queries for the explorer; lives as long as this.
  query::QueryRunner& query_runner() { return query_runner_; }

 private:
  Call MakeCall(net::HttpRequest request, net::HttpResponder responder, Dialect dialect);
  // Fills in what the request asks for, and what it may.
  Outcome<void> Admit(Call& call) const;
  void AddHandlers();

  const TableOptions options_;
  const CommandParts parts_;
  const Authorizer authorizer_;
  std::vector<std::string> account_names_;
  net::RequestIds request_ids_;
  net::HandlerTable<Call, Operation> handlers_;
  TableQueryRunner query_runner_;
  gateway::FaultPlan* const faults_;
  std::unique_ptr<RequestMeter> meter_;  // null: requests are not counted
};

}  // namespace orrery::table
