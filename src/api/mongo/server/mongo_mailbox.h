// A MongoMailbox brings replies to the session that waits for them, from whichever thread has them.
#pragma once

#include <memory>
#include <utility>

#include "api/mongo/command/command_context.h"
#include "api/mongo/command/command_table.h"
#include "base/byte_budget.h"
#include "base/clock.h"
#include "base/visit_tally.h"
#include "net/framed/answerer.h"
#include "net/framed/mailbox.h"

namespace orrery::mongo {

class MongoSession;
class MongoMailbox;

// A command between its dispatch and its reply.
struct PendingCommand {
  std::shared_ptr<MongoMailbox> mailbox;
  std::shared_ptr<CommandContext> context;
  ByteShare memory;  // in which the request is counted
  Micros begin{0};   // by the monotonic clock
  // A fault on demand: the connection ends instead of the reply.
  bool cuts_connection = false;
  std::shared_ptr<VisitTally> visits;  // of a query, which partitions it has read

  static CommandReply Dropped() {
    return Refuse(ErrorCode::kInternalError, "the command was dropped unanswered");
  }
};
using PendingCommandPtr = std::unique_ptr<PendingCommand>;

struct MongoLetter {
  PendingCommandPtr pending;
  CommandReply reply;
};

class MongoMailbox final : public net::Mailbox<MongoLetter, MongoSession> {
 public:
  using Mailbox::Mailbox;

  // From any thread. On the session's own loop it is written at once.
  void Deliver(PendingCommandPtr pending, CommandReply reply);
};

using MongoAnswerer = net::Answerer<PendingCommand, CommandReply>;

}  // namespace orrery::mongo
