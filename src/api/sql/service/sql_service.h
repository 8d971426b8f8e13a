// The SQL API of Azure Cosmos DB: takes HTTP requests, finds out what they ask for and whether they
// may, and gives them to the handler that does it.
//
// Thread-safe. Must outlive the HTTP server that calls it.
#pragma once

#include <string>

#include "api/sql/handler/handler_table.h"
#include "api/sql/handler/parts.h"
#include "api/sql/http/refusal.h"
#include "api/sql/list/list_query.h"
#include "api/sql/service/activity_ids.h"
#include "api/sql/service/authorizer.h"
#include "base/clock.h"
#include "gateway/gateway.h"
#include "net/http/http_message.h"
#include "net/http/http_responder.h"

namespace orrery::sql {

struct SqlOptions {
  bool require_tls = false;  // requests that came in the clear are refused
};

class SqlService {
 public:
  // Both must outlive it.
  SqlService(SqlOptions options, gateway::Gateway& gateway, const Clock& clock);

  // Answers one request. Never blocks: for an event loop.
  void Handle(net::HttpRequest request, net::HttpResponder responder);

 private:
  // Fills in what the call asks for, and finds who does it.
  Answered<const Handler*> Admit(Call& call) const;

  const SqlOptions options_;
  const ListQueries queries_;
  const Authorizer authorizer_;
  ActivityIds activity_ids_;
  HandlerTable handlers_;
};

}  // namespace orrery::sql
