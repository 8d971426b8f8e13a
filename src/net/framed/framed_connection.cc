#include "net/framed/framed_connection.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "base/log.h"
#include "net/arrival_deadline.h"
#include "net/gate.h"
#include "net/loop_signal.h"

namespace orrery::net {
namespace {

using Time = std::chrono::steady_clock::time_point;

// A connection that waits for its next request keeps the smaller; one whose reads come full is
// given the larger, and the rest of a large message is read in steps of the largest.
constexpr size_t kReadBytes = 4 << 10;
constexpr size_t kBusyReadBytes = 16 << 10;
constexpr size_t kLargeReadBytes = 256 << 10;
// Bytes of an incomplete message that a connection may hold without a share of the budget: what
// every connection is counted with (ClientBudget::OfConnection).
constexpr size_t kUnreadUncountedBytes = 4 << 10;
// Messages that are handled before the loop's other connections have their turn.
constexpr int kMessagesPerTurn = 64;
// The piece that must be written within the write time-out.
constexpr size_t kWritePieceBytes = 256 << 10;

template <typename Endpoint>
EndpointBytes ToBytes(const Endpoint& endpoint) {
  EndpointBytes out;
  const auto fill = [&](const auto& bytes) {
    std::ranges::copy(bytes, out.address.begin());
    out.address_bytes = static_cast<uint8_t>(bytes.size());
  };
  const auto address = endpoint.address();
  if (address.is_v4()) {
    fill(address.to_v4().to_bytes());
  } else {
    // A client of IPv4 on a socket for both comes as ::ffff:a.b.c.d.
    const auto bytes = address.to_v6().to_bytes();
    fill(std::span(bytes).last(address.to_v6().is_v4_mapped() ? 4 : bytes.size()));
  }
  out.port = endpoint.port();
  return out;
}

FramedPeer PeerOf(const Stream& stream) {
  FramedPeer peer{.remote = ToBytes(stream.peer_endpoint()),
                  .local = ToBytes(stream.local_endpoint()),
                  .name = stream.peer(),
                  .tls = stream.tls()};
  if (peer.tls) {
    peer.tls_version = stream.tls_version();
    peer.tls_cipher = stream.tls_cipher();
  }
  return peer;
}

class FramedConnection {
 public:
  FramedConnection(Stream& stream, const FramedContext& context,
                   const FramedSessionFactory& factory, ReadBuffer received)
      : stream_(stream),
        context_(context),
        gate_(stream.executor()),
        buffer_(std::move(received)),
        client_bytes_(stream.client_bytes()),
        bytes_(ClientBudget::OfConnection(client_bytes_, context.requests)),
        send_buffer_(bytes_),
        signal_(LoopSignal::Make(stream.executor(), [this] { OnMail(); })),
        origin_(std::make_shared<RequestOrigin>(context.clock, context.memory)),
        session_(factory({.context = context,
                          .out = send_buffer_,
                          .signal = signal_,
                          .origin = origin_,
                          .peer = PeerOf(stream),
                          .bytes = bytes_})),
        received_(bytes_),
        arrival_({.grace = context.limits.message_grace,
                  .bytes_per_second_min = context.limits.message_bytes_per_second_min}) {
    stream_.OnAbort([this] {
      aborted_ = true;
      broken_ = true;
      origin_->Cancel(StopReason::kServerStopping);
      gate_.Open();
    });
    stream_.OnHangUp([this] { origin_->Cancel(StopReason::kClientGone); });
  }
  ~FramedConnection() {
    origin_->Cancel(stream_.draining() ? StopReason::kServerStopping : StopReason::kClientGone);
    signal_->Close();
    stream_.OnAbort(nullptr);
    stream_.OnHangUp(nullptr);
  }
  FramedConnection(const FramedConnection&) = delete;
  FramedConnection& operator=(const FramedConnection&) = delete;

  // Returns how the stream is to be closed; nullopt: it is broken.
  Stream::Awaitable<std::optional<Stream::CloseMode>> Run() {
    stream_.SetIdle(false);
    handshake_deadline_ = Now() + context_.limits.handshake_timeout;
    SetDeadline();
    bool some = !buffer_.empty() || co_await Read();
    while (some) {
      std::string_view input = buffer_.data();
      const bool going = co_await Handle(input);
      buffer_.Consume(buffer_.data().size() - input.size());
      some = going && !stream_.draining() && CountReceived() && co_await Read();
    }
    co_await Finish();
    TellOfBreakOff();
    if (broken_) co_return std::nullopt;
    co_return session_->over() ? Stream::CloseMode::kLinger : Stream::CloseMode::kAtOnce;
  }

 private:
  enum class Deadline : uint8_t { kNone, kHandshake, kArrival, kIdle, kWrite };

  static Time Now() { return std::chrono::steady_clock::now(); }

  // False when there is nothing more to read.
  Stream::Awaitable<bool> Read() {
    if (Full()) {
      while (Full() && !over()) co_await gate_.Wait();
      // While the server did not read, it was not the client that was slow.
      if (arrival_.running()) arrival_.Start(Now());
    }
    if (over()) co_return false;
    buffer_.Shrink(kReadBytes);
    const std::span<char> space = buffer_.Prepare(NextReadBytes());
    while (true) {
      reading_ = true;
      Settle();
      const Result<size_t> size = co_await stream_.ReadSome(space);
      reading_ = false;
      if (size.has_value()) {
        if (*size == 0) origin_->Cancel(StopReason::kClientGone);
        if (*size == 0 || over()) co_return false;
        buffer_.Commit(*size);
        read_bytes_ = *size;
        last_read_full_ = *size == space.size();
        break;
      }
      if (!GoesOnAfterFailure()) co_return false;
    }
    context_.metrics.CountRead(read_bytes_);
    idle_deadline_ = Time::max();
    stream_.SetIdle(false);
    co_return true;
  }

  // Handles a read that ended without bytes. Returns true to read on.
  bool GoesOnAfterFailure() {
    if (broken_ || stream_.draining()) return false;
    if (!stream_.expired()) {
      broken_ = true;
      return false;
    }
    if (session_->over()) {
      stream_.ExpireAfter(context_.limits.write_timeout);
      return false;
    }
    switch (deadline_) {
      case Deadline::kIdle:
        idle_deadline_ = Time::max();
        if (session_->OnIdle() && !session_->over()) {
          stream_.ExpireAfter(context_.limits.write_timeout);
          Flush();
          return !broken_;
        }
        context_.metrics.CountIdle();
        stream_.ExpireAfter(context_.limits.write_timeout);
        return false;
      case Deadline::kArrival:
        context_.metrics.CountSlowSender();
        RefuseInput(FramedSession::Refusal::kTooSlow);
        return false;
      default:
        broken_ = true;
        return false;
    }
  }

  void RefuseInput(FramedSession::Refusal why) {
    stream_.ExpireAfter(context_.limits.write_timeout);
    session_->RefuseInput(why);
    // The client may take its time to hear it.
    buffer_ = ReadBuffer();
    received_.Hold(0);
    Flush();
  }

  size_t NextReadBytes() const {
    if (!buffer_.empty() && buffer_.data().size() >= kBusyReadBytes) return kLargeReadBytes;
    if (session_->partial_bytes() > 0) return kLargeReadBytes;
    return last_read_full_ ? kBusyReadBytes : kReadBytes;
  }

  // Handles all whole messages in `input`, waiting when the client must be slowed down. False when
  // the connection is over. Meanwhile the buffer stays where it is, for the decoder views it.
  Stream::Awaitable<bool> Handle(std::string_view& input) {
    // Should the message be complete now, it needs the room as a request.
    received_.Hold(0);
    send_buffer_.ExpectBurst();
    for (int taken = 1;; ++taken) {
      if (taken % kMessagesPerTurn == 0) {
        Flush();
        co_await gate_.LetOthersPass();
      }
      if (Full()) {
        Flush();
        while (Full() && !over()) co_await gate_.Wait();
      }
      if (over()) co_return false;
      const FramedSession::Step step = session_->Take(input);
      if (step == FramedSession::Step::kTook) {
        if (session_->ready()) stream_.CountRequest();
        // Not by what may come between the parts of a message, such as a ping.
        if (arrival_.running() && session_->partial_bytes() == 0) arrival_.Stop();
        continue;
      }
      Flush();
      send_buffer_.EndBurst();
      co_return step == FramedSession::Step::kNeedInput;
    }
  }

  // False when the message that is coming in is not received to its end.
  bool CountReceived() {
    const size_t before =
        std::exchange(incomplete_bytes_, buffer_.data().size() + session_->partial_bytes());
    if (incomplete_bytes_ == 0) {
      arrival_.Stop();
      return true;
    }
    if (arrival_.running()) {
      arrival_.Earn(Now(), incomplete_bytes_ > before ? incomplete_bytes_ - before : 0);
    } else {
      arrival_.Start(Now());
    }
    if (!session_->ready() && incomplete_bytes_ > context_.limits.stranger_message_bytes_max) {
      RefuseInput(FramedSession::Refusal::kTooLarge);
      return false;
    }
    if (received_.TryHold(incomplete_bytes_ > kUnreadUncountedBytes ? incomplete_bytes_ : 0))
      return true;
    RefuseInput(FramedSession::Refusal::kNoMemory);
    return false;
  }

  bool Full() const {
    const FramedLimits& limits = context_.limits;
    const size_t in_flight = session_->in_flight();
    if (in_flight == 0) return send_buffer_.unsent_bytes() > limits.unsent_bytes_max;
    // When bytes of its address are scarce a client has one request at a time.
    if (client_bytes_ && client_bytes_->tight()) return true;
    const size_t requests_max =
        session_->ready() ? limits.requests_max : limits.stranger_requests_max;
    return in_flight >= requests_max ||
           send_buffer_.unsent_bytes() + session_->expected_bytes() > limits.unsent_bytes_max;
  }
  bool over() const { return broken_ || session_->over(); }

  // On the loop, after something has come from elsewhere.
  void OnMail() {
    Pump();
    Settle();
    gate_.Open();
    EndReadIfOver();
  }

  // The reader waits for bytes that may never come: ends its wait.
  void EndReadIfOver() {
    if (reading_ && !writing_ && session_->over())
      stream_.ExpireAfter(std::chrono::milliseconds(0));
  }

  // Writes and sends the answers that have come, as many as the client takes.
  void Pump() {
    bool all_given = false;
    while (!all_given && !writing_ && !broken_) {
      all_given = session_->TakeMail();
      Flush();
    }
  }

  // Sends what has gathered, or starts to, unless a write is under way, which will go on with it.
  void Flush() {
    while (!writing_ && !broken_) {
      const std::string_view wire = send_buffer_.Wire();
      if (wire.empty()) return;
      const Result<size_t> size = stream_.TryWrite(wire, send_buffer_.pieces());
      if (!size.has_value()) return Break();
      Sent(*size);
      if (*size == 0 || stream_.unsent_bytes() > 0) return StartWrite();
    }
  }

  // Starts to send what the client does not take at once.
  void StartWrite() {
    writing_ = true;
    stream_.SetStalled(true);
    stream_.SetBusy(true);
    write_deadline_ = Now() + context_.limits.write_timeout;
    SetDeadline();
    const std::string_view piece = send_buffer_.Wire().substr(0, kWritePieceBytes);
    const auto on_written = [this, size = piece.size()](const Status& written) {
      writing_ = false;
      stream_.SetStalled(false);
      if (written.has_value()) {
        Sent(size);
        Pump();
        Settle();
        EndReadIfOver();
      } else {
        timed_out_ = stream_.expired() && deadline_ == Deadline::kWrite;
        if (timed_out_) context_.metrics.CountSlowReader();
        Break();
      }
      gate_.Open();
    };
    stream_.StartWrite(piece, send_buffer_.pieces(), on_written);
  }

  void Sent(size_t size) {
    send_buffer_.Consume(size);
    context_.metrics.CountWritten(size);
  }

  void TellOfBreakOff() const {
    // The server's own end is no news.
    if (context_.break_offs == nullptr || !broken_ || aborted_ || stream_.draining()) return;
    const BreakOffLog::BreakOff what{
        .unsent_bytes = send_buffer_.unsent_bytes() + stream_.unsent_bytes(),
        .unanswered = session_->in_flight(),
        .timed_out = timed_out_};
    if (what.unsent_bytes == 0 && what.unanswered == 0) return;
    if (const auto line = context_.break_offs->Line(stream_.peer(), what)) LogInfo("{}", *line);
  }

  // Nothing can be written any more.
  void Break() {
    broken_ = true;
    stream_.ExpireAfter(std::chrono::milliseconds(0));
    gate_.Open();
  }

  // Sets the deadline and whether draining may end the stream, by what is under way now.
  void Settle() {
    if (over()) return;
    const bool idle =
        session_->in_flight() == 0 && !writing_ && buffer_.empty() && incomplete_bytes_ == 0;
    if (!idle || context_.limits.idle_timeout.count() == 0) {
      idle_deadline_ = Time::max();
    } else if (idle_deadline_ == Time::max()) {
      idle_deadline_ = Now() + context_.limits.idle_timeout;
    }
    SetDeadline();
    stream_.SetBusy(writing_ || session_->in_flight() > 0);
    stream_.SetIdle(idle);
  }

  // The nearest of those that hold now.
  void SetDeadline() {
    Time nearest = Time::max();
    deadline_ = Deadline::kNone;
    const auto consider = [&](Deadline kind, Time deadline) {
      if (deadline >= nearest) return;
      nearest = deadline;
      deadline_ = kind;
    };
    if (!session_->ready()) consider(Deadline::kHandshake, handshake_deadline_);
    if (writing_) consider(Deadline::kWrite, write_deadline_);
    if (reading_) consider(Deadline::kArrival, arrival_.deadline());
    if (reading_ && session_->ready()) consider(Deadline::kIdle, idle_deadline_);
    stream_.ExpireAt(nearest);
  }

  // Returns whether everything is on its way to the client, or cannot be sent.
  bool AllSaid() {
    Pump();
    if (broken_) return true;
    return send_buffer_.unsent_bytes() == 0 && (session_->over() || session_->in_flight() == 0);
  }

  // The client sends no more, or nothing more is wanted from it: answers what it asked.
  Stream::Awaitable<void> Finish() {
    if (session_->over()) context_.metrics.CountEndedByServer();
    while (!AllSaid()) co_await gate_.Wait();
    if (stream_.draining() && !over()) {
      stream_.SetIdle(false);  // or draining would cancel what is written now
      session_->OnDrain();
      while (!AllSaid()) co_await gate_.Wait();
    }
    while (writing_) co_await gate_.Wait();
  }

  Stream& stream_;
  const FramedContext& context_;
  Gate gate_;
  ReadBuffer buffer_;
  const std::shared_ptr<ByteBudget> client_bytes_;  // of its address; null: not counted
  const std::shared_ptr<ByteBudget> bytes_;
  SendBuffer send_buffer_;
  const std::shared_ptr<LoopSignal> signal_;
  const std::shared_ptr<RequestOrigin> origin_;
  const std::unique_ptr<FramedSession> session_;
  ByteShare received_;
  size_t incomplete_bytes_ = 0;  // of the message that is coming in
  size_t read_bytes_ = 0;        // by the last read
  ArrivalDeadline arrival_;
  Time handshake_deadline_ = Time::max();
  Time idle_deadline_ = Time::max();
  Time write_deadline_ = Time::max();
  Deadline deadline_ = Deadline::kNone;  // which of them the stream has
  bool reading_ = false;
  bool writing_ = false;
  bool broken_ = false;     // neither read nor write any more
  bool aborted_ = false;    // by the server
  bool timed_out_ = false;  // the client did not read
  bool last_read_full_ = false;
};

}  // namespace

Stream::Awaitable<void> ServeFramed(Stream& stream, const FramedContext& context,
                                    const FramedSessionFactory& factory, ReadBuffer received) {
  std::optional<Stream::CloseMode> mode;
  {
    FramedConnection connection(stream, context, factory, std::move(received));
    mode = co_await connection.Run();
  }
  // The client may take its time to hear the last answer: nothing else is kept for it.
  if (mode.has_value()) co_await stream.Close(*mode);
}

}  // namespace orrery::net
