// A GremlinSession is one client's conversation over WebSocket: it reads requests, lets the client
// in, and gives what is to be run to the API's threads.
//
// On the connection's loop only.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "api/gremlin/protocol/message.h"
#include "api/gremlin/server/request_runner.h"
#include "base/thread_pool.h"
#include "net/websocket/websocket_session.h"

namespace orrery::gremlin {

// The parts that all sessions of one port share. Everything must outlive the sessions and their
// work.
struct SessionContext {
  const RequestRunner& runner;
  const gateway::Accounts& accounts;
  ThreadPool& pool;
  const Clock& clock;
  std::function<uint64_t()> random;
  bool trusts = false;     // clients are let in without credentials
  bool is_cosmos = false;  // GraphSON 2 as Cosmos DB writes it: untyped
};

// A new UUID, by which logs and answers know a request.
std::string NewActivityId(const std::function<uint64_t()>& random);

// The name of a graph and a key, as SASL PLAIN and HTTP's Basic have them. kUnauthorized.
Result<Login> LogIn(const gateway::Accounts& accounts, std::string_view user,
                    std::string_view password);

class GremlinSession final : public net::WebSocketHandler {
 public:
  GremlinSession(const SessionContext& context, std::shared_ptr<net::WebSocketChannel> channel,
                 std::string peer);

  void OnMessage(net::WebSocketKind kind, std::string_view payload, const RequestContext& context,
                 net::WebSocketExchange exchange) override;

 private:
  // A Form says how a request's answers are encoded.
  struct Form {
    Encoding encoding = Encoding::kGraphSon3;
    net::WebSocketKind kind = net::WebSocketKind::kBinary;
  };
  struct Waiting {
    Request request;
    Form form;
    ByteShare memory;
  };
  AnswerSender MakeSender(const Request& request, const Form& form,
                          const RequestContext& context) const;
  void Handle(Request request, const Form& form, const RequestContext& context,
              net::WebSocketExchange exchange);
  void Authenticate(const Request& request, const Form& form, const RequestContext& context,
                    net::WebSocketExchange exchange);
  void Submit(Request request, const Form& form, const RequestContext& context,
              net::WebSocketExchange exchange);
  void Refuse(const Request& request, const Form& form, const RequestContext& context,
              const ErrorAnswer& error) const;
  // Keeps a request until its client has said who it is; false when it has sent too much before.
  bool KeepWaiting(Request request, const Form& form, ByteShare memory);

  const SessionContext& context_;
  const std::shared_ptr<net::WebSocketChannel> channel_;
  const std::string peer_;
  std::optional<Login> login_;
  std::deque<Waiting> waiting_;  // for credentials
};

}  // namespace orrery::gremlin
