// A FramedSession is one client's conversation in a pipelined binary protocol: it takes bytes,
// keeps the protocol's state, hands requests on and gathers answers in the send buffer. An API
// derives one; framed_connection.h moves the bytes and holds the limits.
//
// It does no I/O and never waits. Answers that are ready at once are in the send buffer when Take()
// returns; later ones come by the session's own Mailbox (mailbox.h), in any order. The connection
// stops calling Take() while the client has too many requests under way or too much unread
// (FramedLimits), and destroys the session when the connection is over, whoever ended it: work that
// is still under way then must hold on to the mailbox only, which drops what comes late.
//
//   class MySession final : public net::FramedSession {
//     MySession(const net::FramedLink& link) : FramedSession(link),
//         mailbox_(std::make_shared<MyMailbox>(link.signal)) { mailbox_->Open(*this); }
//     ~MySession() override { mailbox_->Close(); }
//     Step TakeMessage(std::string_view& input) override;   // decode one; BeginRequest(); start it
//     bool TakeMail() override { return mailbox_->Empty(); }
//     void TakeLetter(MyAnswer& answer);                    // encode into out().gather();
//     EndRequest
//
// Lives on one event loop; only that loop's thread may touch it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/byte_budget.h"
#include "base/clock.h"
#include "base/request_context.h"
#include "net/framed/break_off_log.h"
#include "net/framed/framed_limits.h"
#include "net/framed/framed_metrics.h"
#include "net/framed/send_buffer.h"

namespace orrery::net {

class LoopSignal;

// An IP address in network order, 4 or 16 bytes, and a port. IPv4 clients of a socket for both
// families have 4 bytes. 0.0.0.0: unknown.
struct EndpointBytes {
  std::array<uint8_t, 16> address{};
  uint8_t address_bytes = 4;
  uint16_t port = 0;
};

// The client's address and TLS state.
struct FramedPeer {
  EndpointBytes remote{};
  EndpointBytes local{};  // where it connected to
  std::string name{};     // "127.0.0.1:50312"
  bool tls = false;
  std::string tls_version{};  // "TLSv1.3"
  std::string tls_cipher{};
};

// The parts that all connections of a server share. Everything referred to outlives them.
struct FramedContext {
  FramedLimits limits;
  FramedMetrics& metrics;
  const Clock& clock;
  // Of requests that are received in part or being answered and of answers that are not sent yet,
  // over all connections: what does not fit is refused.
  std::shared_ptr<ByteBudget> requests;
  // The budget of what requests keep while they are worked on (RequestContext::Memory); null: not
  // counted.
  std::shared_ptr<ByteBudget> memory = nullptr;
  // Told of clients that go away while they are answered; null: nobody.
  BreakOffLog* break_offs = nullptr;
};

// The parts of a connection that its session uses. All references outlive the session.
struct FramedLink {
  const FramedContext& context;
  SendBuffer& out;
  std::shared_ptr<LoopSignal> signal;     // for the session's mailbox
  std::shared_ptr<RequestOrigin> origin;  // of its requests; the connection cancels it
  FramedPeer peer{};
  // Of this connection's requests and answers, within those of its address and of the context;
  // null: those of the context.
  std::shared_ptr<ByteBudget> bytes = nullptr;
};

class FramedSession {
 public:
  enum class Step : uint8_t {
    kTook,       // one message was handled
    kNeedInput,  // more bytes are needed
    kOver,       // send what is in the send buffer, then close
  };
  enum class Refusal : uint8_t {
    kNoMemory,  // the server's budget has no room for the message that is coming in
    kTooSlow,   // the message takes too long to arrive
    kTooLarge,  // the client was not let in yet, and sends more than strangers may
  };

  explicit FramedSession(const FramedLink& link)
      : wire_(link.context),
        out_(link.out),
        request_(link.origin),
        budget_(link.bytes ? link.bytes : link.context.requests) {}
  virtual ~FramedSession() { wire_.metrics.CountEnded(in_flight_); }
  FramedSession(const FramedSession&) = delete;
  FramedSession& operator=(const FramedSession&) = delete;

  // Handles at most one message at the head of `input` and moves past it.
  Step Take(std::string_view& input) {
    taking_ = true;
    const Step step = TakeMessage(input);
    taking_ = false;
    if (step == Step::kOver) over_ = true;
    return over_ ? Step::kOver : step;
  }
  // Takes what the mailbox has, as long as hungry(). False when something was left.
  virtual bool TakeMail() = 0;
  // Returns the bytes that the session itself holds of an incomplete message, besides what it left
  // in `input`.
  virtual size_t partial_bytes() const = 0;
  // Tells the client that its message is not received to its end, and ends the session.
  void RefuseInput(Refusal why) {
    Refuse(why);
    over_ = true;
  }
  // The client was silent for FramedLimits::idle_timeout. Whether to go on waiting, as after a
  // message that it must answer.
  virtual bool OnIdle() { return false; }
  // The server stops and all requests are answered: last words, if the protocol has any.
  virtual void OnDrain() {}

  // Returns whether the client was authenticated: the limits for strangers hold no longer.
  bool ready() const { return ready_; }
  // Returns whether the session has ended: pending output is sent, no more input is taken.
  bool over() const { return over_; }
  size_t in_flight() const { return in_flight_; }
  // Returns the expected size of the answers to all requests in flight, from earlier ones.
  size_t expected_bytes() const { return in_flight_ * answer_bytes_; }
  // Returns whether the buffered output is about to be sent; else the signal must be raised for it.
  bool taking() const { return taking_; }
  // Returns whether there is space for more answers.
  bool hungry() const { return out_.unsent_bytes() <= wire_.limits.unsent_bytes_max; }

 protected:
  // One message at the head of `input`. kOver and SetOver() are the same.
  virtual Step TakeMessage(std::string_view& input) = 0;
  // Gathers the protocol's own error, if it has one that can be said here.
  virtual void Refuse(Refusal why) = 0;

  void SetReady() { ready_ = true; }
  void SetOver() { over_ = true; }

  // Counts a request that will be answered, and one that was, by so many bytes or none.
  void BeginRequest() {
    ++in_flight_;
    wire_.metrics.CountBegun();
  }
  void EndRequest(size_t answer_bytes) {
    --in_flight_;
    wire_.metrics.CountEnded();
    answer_bytes_ = std::max(answer_bytes, answer_bytes_ - answer_bytes_ / 8);
  }
  void EndRequest() {
    --in_flight_;
    wire_.metrics.CountEnded();
  }
  // For work on a request that begins now: its deadline, and the flag that the connection sets.
  // Valid until the next call: who keeps it copies it.
  const RequestContext& NewContext() {
    const auto timeout = wire_.limits.request_timeout;
    if (timeout.count() != 0) request_.set_deadline(wire_.clock.Monotonic() + timeout);
    return request_;
  }

  const FramedContext& wire() const { return wire_; }
  // The budget in which requests are counted, but for very small ones.
  const std::shared_ptr<ByteBudget>& budget() const { return budget_; }
  // Returns whether there is room for an answer of so many bytes. Small ones always have it.
  bool HasRoomFor(size_t answer_bytes) const {
    return answer_bytes <= kSmallAnswerBytes || !budget_->tight();
  }
  SendBuffer& out() { return out_; }
  const SendBuffer& out() const { return out_; }

 private:
  // The assumed size of an answer as long as nothing is known of this client.
  static constexpr size_t kFirstAnswerBytes = 16 << 10;
  static constexpr size_t kSmallAnswerBytes = 64 << 10;

  const FramedContext& wire_;
  SendBuffer& out_;
  RequestContext request_;  // the newest
  const std::shared_ptr<ByteBudget> budget_;
  bool ready_ = false;
  bool over_ = false;
  bool taking_ = false;
  size_t in_flight_ = 0;
  size_t answer_bytes_ = kFirstAnswerBytes;  // of the largest of late
};

// Makes the session of a new connection. Called on its loop.
using FramedSessionFactory = std::function<std::unique_ptr<FramedSession>(const FramedLink& link)>;

}  // namespace orrery::net
