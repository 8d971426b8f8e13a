// Where a connection gets what other threads have for it: outcomes of statements, the result of a
// login, events. However much comes in one burst, the loop is woken once.
//
// What is delivered on the connection's own loop takes no detour: it goes straight to the reader,
// which for a statement that finished at once means into the output buffer. After Close()
// everything is dropped, so statements may outlive the connection, the server and the loop.
//
// Deliver..., PutEvent from any thread; the rest on the loop.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "api/cassandra/executor/client.h"
#include "api/cassandra/executor/outcome.h"
#include "api/cassandra/protocol/cql_result.h"
#include "api/cassandra/server/event/event.h"
#include "api/cassandra/server/session/pending_request.h"
#include "base/mutex.h"

namespace orrery::net {
class LoopSignal;
}  // namespace orrery::net

namespace orrery::cassandra {

// Who reads a mailbox: the session. Called on the loop.
class MailReader {
 public:
  virtual ~MailReader() = default;
  virtual void TakeOutcome(PendingRequestPtr request, Outcome outcome) = 0;
  virtual void TakeLogin(PendingRequestPtr request, CqlResult<Client> client) = 0;
  virtual void TakeEvent(const Event& event) = 0;
  // Too many events wait: the client does not know the schema any more and must start afresh.
  virtual void EventsWereLost() = 0;
  // Whether somebody is about to send what it writes now; else the signal must be raised for that.
  virtual bool taking() const = 0;
  // Whether it wants more now.
  virtual bool hungry() const = 0;
};

class Mailbox {
 public:
  // Events that wait for a connection's loop.
  static constexpr size_t kEventsMax = 1024;

  // `signal` is raised when something came that Empty() must be called for.
  explicit Mailbox(std::shared_ptr<net::LoopSignal> signal) : signal_(std::move(signal)) {}

  // `reader` must live until Close().
  void Open(MailReader& reader) { reader_ = &reader; }
  void Close() EXCLUDES(mutex_);

  void Deliver(PendingRequestPtr request, Outcome outcome) EXCLUDES(mutex_);
  void DeliverLogin(PendingRequestPtr request, CqlResult<Client> client) EXCLUDES(mutex_);
  void PutEvent(EventPtr event) EXCLUDES(mutex_);

  // Gives the reader what has come, as long as it is hungry. False when something was left.
  bool Empty() EXCLUDES(mutex_);

 private:
  // What the queues may keep while nothing waits.
  static constexpr size_t kSpareItemsMax = 64;

  struct FinishedStatement {
    PendingRequestPtr request;
    Outcome outcome;
  };
  struct FinishedLogin {
    PendingRequestPtr request;
    CqlResult<Client> client;
  };
  using Item = std::variant<FinishedStatement, FinishedLogin, EventPtr>;

  void Put(Item item) EXCLUDES(mutex_);
  void Give(Item& item);
  // Moves what has come to giving_; false when there was nothing.
  bool Fetch() EXCLUDES(mutex_);

  const std::shared_ptr<net::LoopSignal> signal_;
  MailReader* reader_ = nullptr;  // the loop's
  std::vector<Item> giving_;      // the loop's
  size_t given_ = 0;              // of giving_

  Mutex mutex_;
  std::vector<Item> items_ GUARDED_BY(mutex_);
  size_t events_ GUARDED_BY(mutex_) = 0;
  bool events_lost_ GUARDED_BY(mutex_) = false;
  bool closed_ GUARDED_BY(mutex_) = false;
};

// What a statement is given to call with its outcome. Dropped without a call, it answers with an
// error: no client waits for ever because of a bug.
class Answerer {
 public:
  explicit Answerer(PendingRequestPtr request) : request_(std::move(request)) {}
  Answerer(Answerer&&) noexcept = default;
  Answerer& operator=(Answerer&&) = delete;
  ~Answerer();

  // REQUIRES: not called before.
  void operator()(Outcome outcome);

 private:
  PendingRequestPtr request_;
};

}  // namespace orrery::cassandra
