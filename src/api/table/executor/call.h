// A Call is one request on its way through the API: what it asks for, already read and allowed, and
// its one chance to be answered.
#pragma once

#include <functional>
#include <string>

#include "api/table/auth/grant.h"
#include "api/table/executor/reply.h"
#include "api/table/protocol/address.h"
#include "api/table/protocol/error_response.h"
#include "api/table/protocol/operation.h"
#include "api/table/protocol/request_options.h"
#include "base/request_context.h"
#include "net/http/http_message.h"

namespace orrery::table {

// Called once at most, with the request that is answered and what it said of its answer. Destroyed
// without a call, it tells the client that its request was dropped.
using CallResponder =
    std::move_only_function<void(Outcome<Reply>, const net::HttpRequest&, const RequestOptions&)>;

// A Dialect says how names of tables compare, and what pages may be: as on Cosmos DB, or on Azure
// Storage.
enum class Dialect : uint8_t { kCosmos, kStorage };

struct Call {
  net::HttpRequest request{};
  Dialect dialect = Dialect::kCosmos;
  Address address{};
  Operation operation = Operation::kQueryEntities;
  RequestOptions options{};
  Grant grant{};
  std::string base_url{};  // "http://host:port[/account]"
  CallResponder respond{};

  const RequestContext& context() const { return request.context; }
};

// From a pool: net::AnswerFromPool.
inline void Answer(Call& call, Outcome<Reply> outcome) {
  CallResponder respond = std::move(call.respond);
  respond(std::move(outcome), call.request, call.options);
}

}  // namespace orrery::table
