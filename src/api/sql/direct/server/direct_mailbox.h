// A DirectMailbox brings answers to the session that waits for them, from any thread.
#pragma once

#include <memory>
#include <utility>

#include "api/sql/direct/message/answer.h"
#include "api/sql/handler/reply.h"
#include "base/byte_budget.h"
#include "base/clock.h"
#include "net/framed/answerer.h"
#include "net/framed/mailbox.h"

namespace orrery::sql::direct {

class DirectSession;
class DirectMailbox;

// A request between its dispatch and its answer.
struct PendingDirectRequest {
  std::shared_ptr<DirectMailbox> mailbox;
  ByteShare memory;  // in which the request is counted
  AnswerContext to{};
  Micros begin{0};  // by the monotonic clock

  static SqlResult<Reply> Dropped() {
    return sql::Refuse(500, "the request was dropped unanswered");
  }
};
using PendingDirectRequestPtr = std::unique_ptr<PendingDirectRequest>;

struct DirectLetter {
  PendingDirectRequestPtr request;
  SqlResult<Reply> answer;
};

class DirectMailbox final : public net::Mailbox<DirectLetter, DirectSession> {
 public:
  using Mailbox::Mailbox;

  // From any thread. On the session's own loop it is written at once.
  void Deliver(PendingDirectRequestPtr request, SqlResult<Reply> answer);
};

using DirectAnswerer = net::Answerer<PendingDirectRequest, SqlResult<Reply>>;

}  // namespace orrery::sql::direct
