// One client's conversation: takes bytes, keeps the protocol's state (before STARTUP, logging in,
// ready), hands statements to the StatementService and gathers responses in the send buffer.
//
// net/framed/framed_session.h says how it is used. Answers come through the mailbox and are written
// in the order in which they come, told apart by their stream ids.
//
//   new      -- STARTUP -->  ready, or logging in where the port asks for credentials
//   logging in -- AUTH_RESPONSE --> ready                (OPTIONS is answered in every state)
//
// Lives on one event loop; only that loop's thread may touch it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "api/cassandra/executor/client.h"
#include "api/cassandra/protocol/frame/message_decoder.h"
#include "api/cassandra/protocol/request/request.h"
#include "api/cassandra/server/server_context.h"
#include "api/cassandra/server/session/frame_wrapper.h"
#include "api/cassandra/server/session/mailbox.h"
#include "api/cassandra/server/session/response_encoder.h"
#include "net/framed/framed_session.h"
#include "net/framed/request_pool.h"

namespace orrery::cassandra {

class Session final : public net::FramedSession, public MailReader {
 public:
  // Wrong passwords before the connection is closed.
  static constexpr int kLoginsMax = 3;

  // `context` must outlive it. With `authenticate` the client must log in, else it may do anything.
  Session(const ServerContext& context, const net::FramedLink& link, bool authenticate);
  ~Session() override;

  bool TakeMail() override { return mailbox_->Empty(); }
  size_t partial_bytes() const override { return decoder_.partial_bytes(); }

  void TakeOutcome(PendingRequestPtr request, Outcome outcome) override;
  // Counts it among those of its statement.
  void NoteStatementOf(const PendingRequest& request, const Outcome& outcome) const;
  void TakeLogin(PendingRequestPtr request, CqlResult<Client> client) override;
  void TakeEvent(const Event& event) override;
  void NoticesWereLost() override { SetOver(); }
  bool taking() const override { return FramedSession::taking(); }
  bool hungry() const override { return FramedSession::hungry(); }

 protected:
  Step TakeMessage(std::string_view& input) override;
  void Refuse(Refusal why) override;

 private:
  enum class State : uint8_t { kNew, kLoggingIn, kReady };

  // A message on its way to the statement that it asks for.
  struct Incoming {
    const EnvelopeHeader& header;
    size_t bytes;
    const RequestMessage& message;
  };

  void Handle(const Envelope& envelope);
  CqlStatus CheckState(Opcode opcode) const;
  void FailLogin(int16_t stream, const CqlError& error);

  // One for each kind of request: session_requests.cc.
  void Do(const Incoming& incoming, const StartupRequest& startup);
  void Do(const Incoming& incoming, const OptionsRequest& options);
  void Do(const Incoming& incoming, const AuthResponseRequest& response);
  void Do(const Incoming& incoming, const RegisterRequest& registration);
  void Do(const Incoming& incoming, const QueryRequest& query);
  void Do(const Incoming& incoming, const PrepareRequest& prepare);
  void Do(const Incoming& incoming, const ExecuteRequest& execute);
  void Do(const Incoming& incoming, const BatchRequest& batch);

  // Null when the server has no room for it, which the client has been told then.
  PendingRequestPtr Begin(const Incoming& incoming);
  // The request is answered, by so many bytes.
  void End(PendingRequestPtr request, size_t answer_bytes);
  // The request is not a statement's, or answered by an error of the protocol.
  void End(PendingRequestPtr request);
  void Recycle(PendingRequestPtr request);
  MessageContext ContextOf(const PendingRequest& request, const RequestMessage& message);
  ResponseHead HeadFor(int16_t stream) const;
  void AnswerError(int16_t stream, const CqlError& error);

  const ServerContext& context_;
  const bool authenticate_;
  const std::shared_ptr<Mailbox> mailbox_;

  MessageDecoder decoder_;
  WireForm form_;
  ClientPtr client_;
  State state_ = State::kNew;
  bool login_running_ = false;
  int logins_failed_ = 0;
  bool registered_ = false;
  FrameWrapper frames_;
  net::RequestPool<PendingRequest> requests_;
  ClientRegistry::Place place_;
};

}  // namespace orrery::cassandra
