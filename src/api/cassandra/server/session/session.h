// One client's conversation: takes bytes, keeps the protocol's state (before STARTUP, logging in,
// ready), hands statements to the StatementService and gathers responses in the send buffer.
//
// Does no I/O and never waits; connection.h moves the bytes. Answers that are ready at once are in
// the send buffer when Take() returns; later ones come through the mailbox and are written in the
// order in which they come, told apart by their stream ids.
//
//   new      -- STARTUP -->  ready, or logging in where the door asks for credentials
//   logging in -- AUTH_RESPONSE --> ready                (OPTIONS is answered in every state)
//
// Lives on one event loop; only that loop's thread may touch it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "api/cassandra/executor/client.h"
#include "api/cassandra/protocol/frame/message_decoder.h"
#include "api/cassandra/protocol/request/request.h"
#include "api/cassandra/server/server_context.h"
#include "api/cassandra/server/session/mailbox.h"
#include "api/cassandra/server/session/response_encoder.h"
#include "api/cassandra/server/session/send_buffer.h"

namespace orrery::cassandra {

class Session final : public MailReader {
 public:
  // Wrong passwords before the connection is closed.
  static constexpr int kLoginsMax = 3;

  // `context` and `send_buffer` must outlive it. `client` has the address only; with `authenticate`
  // it must log in, else it may do anything.
  Session(const ServerContext& context, Client client, bool authenticate, SendBuffer& send_buffer,
          std::shared_ptr<Mailbox> mailbox);
  ~Session() override;

  // For whoever looks at the list of clients.
  void OverTls(std::string version, std::string cipher_suite) {
    place_.OverTls(std::move(version), std::move(cipher_suite));
  }

  enum class Step : uint8_t {
    kTook,       // one message was handled
    kNeedInput,  // more bytes are needed
    kOver,       // send what is in the send buffer, then close
  };
  // Handles at most one message at the head of `input` and moves past it.
  Step Take(std::string_view& input);

  void TakeOutcome(PendingRequestPtr request, Outcome outcome) override;
  void TakeLogin(PendingRequestPtr request, CqlResult<Client> client) override;
  void TakeEvent(const Event& event) override;
  void EventsWereLost() override { over_ = true; }

  // There is no memory to receive what the client is sending: tells it so, and is over.
  void RefuseInput();

  bool ready() const { return state_ == State::kReady; }
  bool over() const { return over_; }
  bool taking() const override { return taking_; }
  bool hungry() const override {
    return send_buffer_.unsent_bytes() <= context_.limits.unsent_bytes_max;
  }
  size_t in_flight() const { return in_flight_; }
  // What the answers to all that is in flight may come to, by those that went before.
  size_t expected_bytes() const { return in_flight_ * answer_bytes_; }
  // What the decoder holds of a message that is not complete.
  size_t partial_bytes() const { return decoder_.partial_bytes(); }

 private:
  enum class State : uint8_t { kNew, kLoggingIn, kReady };
  // What an answer is taken to have as long as nothing is known of this client.
  static constexpr size_t kFirstAnswerBytes = 16 << 10;
  // What the free list of requests may keep.
  static constexpr size_t kSpareRequestsMax = 64;

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
  void Recycle(PendingRequestPtr request);
  RequestContext ContextOf(const PendingRequest& request, const RequestMessage& message) const;
  ResponseHead HeadFor(int16_t stream) const;
  void AnswerError(int16_t stream, const CqlError& error);

  const ServerContext& context_;
  const bool authenticate_;
  SendBuffer& send_buffer_;
  const std::shared_ptr<Mailbox> mailbox_;

  MessageDecoder decoder_;
  WireForm form_;
  ClientPtr client_;
  State state_ = State::kNew;
  bool login_running_ = false;
  int logins_failed_ = 0;
  bool registered_ = false;
  bool taking_ = false;
  bool over_ = false;
  size_t in_flight_ = 0;
  size_t answer_bytes_ = kFirstAnswerBytes;  // of the largest of late
  std::vector<PendingRequestPtr> spare_requests_;
  ClientRoster::Place place_;
};

}  // namespace orrery::cassandra
