// A DirectSession is one client's conversation in Direct mode: the handshake, then requests that
// are pipelined and answered in any order, each found by its transport request id. Every request
// is signed by itself, so a connection belongs to nobody.
//
// Each answer has TLS records of its own: Java's client decodes a record at a time, and moves what
// stands behind an answer in the same record over that answer's bytes before it has read them.
//
// Bytes that are no frames end the connection: RNTBD has no word for it.
//
// Lives on one event loop; only that loop's thread may touch it.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "api/sql/direct/message/answer.h"
#include "api/sql/direct/message/direct_request.h"
#include "api/sql/direct/protocol/context.h"
#include "api/sql/direct/protocol/frame.h"
#include "api/sql/direct/server/direct_mailbox.h"
#include "api/sql/service/sql_service.h"
#include "net/framed/framed_session.h"
#include "net/framed/request_pool.h"

namespace orrery::sql::direct {

// The parts that all sessions share. Everything referred to outlives them.
struct DirectContext {
  SqlService& service;
  const Clock& clock;
  ServerIdentity identity;
  bool require_tls = false;
};

class DirectSession final : public net::FramedSession {
 public:
  DirectSession(const net::FramedLink& link, const DirectContext& context);
  ~DirectSession() override;

  bool TakeMail() override { return mailbox_->Empty(); }
  size_t partial_bytes() const override { return 0; }
  void Refuse(Refusal why) override;

  // Called by the mailbox.
  void TakeLetter(DirectLetter& letter);
  void NoticesWereLost() {}  // there are none

 protected:
  Step TakeMessage(std::string_view& input) override;

 private:
  void ShakeHands(const RequestFrame& frame);
  void Begin(const RequestFrame& frame, size_t bytes);
  void RefuseRequest(const AnswerContext& to, const sql::ErrorResponse& error_response);
  void Start(const RequestFrame& frame, const RequestTokens& tokens, DirectRequest request,
             PendingDirectRequestPtr pending);
  // 410 when the partition is not, or not here, so that the client routes the request anew.
  SqlResult<void> CheckPartition(const DirectRequest& request, const RequestTokens& tokens) const;
  SqlResult<void> CheckOwner(PartitionId partition, const RequestTokens& tokens) const;

  const DirectContext& context_;
  const bool tls_;
  FrameDecoder decoder_;
  std::string client_version_;
  net::RequestPool<PendingDirectRequest> pool_;
  const std::shared_ptr<DirectMailbox> mailbox_;
};

}  // namespace orrery::sql::direct
