// A Mailbox brings a connection what other threads have for it: outcomes of statements, the result
// of a login, events. net/framed/mailbox.h has the mechanism and its threads.
#pragma once

#include <memory>
#include <variant>

#include "api/cassandra/executor/client.h"
#include "api/cassandra/executor/outcome.h"
#include "api/cassandra/protocol/cql_result.h"
#include "api/cassandra/server/event/event.h"
#include "api/cassandra/server/session/pending_request.h"
#include "net/framed/mailbox.h"

namespace orrery::cassandra {

struct FinishedStatement {
  PendingRequestPtr request;
  Outcome outcome;
};
struct FinishedLogin {
  PendingRequestPtr request;
  CqlResult<Client> client;
};
using Letter = std::variant<FinishedStatement, FinishedLogin, EventPtr>;

// The reader of a mailbox: the session. Called on the loop.
class MailReader {
 public:
  virtual ~MailReader() = default;
  void TakeLetter(Letter& letter);
  virtual void TakeOutcome(PendingRequestPtr request, Outcome outcome) = 0;
  virtual void TakeLogin(PendingRequestPtr request, CqlResult<Client> client) = 0;
  virtual void TakeEvent(const Event& event) = 0;
  // Too many events wait: the client does not know the schema any more and must start afresh.
  virtual void NoticesWereLost() = 0;
  // As in net/framed/framed_session.h.
  virtual bool taking() const = 0;
  virtual bool hungry() const = 0;
};

class Mailbox final : public net::Mailbox<Letter, MailReader> {
 public:
  using net::Mailbox<Letter, MailReader>::Mailbox;

  void Deliver(PendingRequestPtr request, Outcome outcome);
  void DeliverLogin(PendingRequestPtr request, CqlResult<Client> client);
  void PutEvent(EventPtr event) { PutNotice(std::move(event)); }
};

}  // namespace orrery::cassandra
