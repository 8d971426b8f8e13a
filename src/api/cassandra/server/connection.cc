#include "api/cassandra/server/connection.h"

#include <algorithm>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "api/cassandra/server/session/mailbox.h"
#include "api/cassandra/server/session/send_buffer.h"
#include "api/cassandra/server/session/session.h"
#include "net/gate.h"
#include "net/loop_signal.h"
#include "net/read_buffer.h"

namespace orrery::cassandra {
namespace {

using net::Stream;

// A connection that waits for its next request keeps the smaller; one whose reads come full is
// given the larger, and the rest of a large message is read in steps of the largest.
constexpr size_t kReadBytes = 4 << 10;
constexpr size_t kBusyReadBytes = 16 << 10;
constexpr size_t kLargeReadBytes = 256 << 10;
// Bytes of an incomplete message that a connection may hold without a share of the budget.
constexpr size_t kUncountedBytes = 64 << 10;
// Messages that are handled before the loop's other connections have their turn.
constexpr int kMessagesPerTurn = 64;
// What must leave within the write time-out.
constexpr size_t kWritePieceBytes = 256 << 10;

template <typename Endpoint>
InetEndpoint ToInet(const Endpoint& endpoint) {
  InetEndpoint inet;
  const auto fill = [&](const auto& bytes) {
    std::ranges::copy(bytes, inet.address.storage.begin());
    inet.address.size = static_cast<uint8_t>(bytes.size());
  };
  const auto address = endpoint.address();
  if (address.is_v4()) {
    fill(address.to_v4().to_bytes());
  } else {
    // A client of IPv4 on a socket for both comes as ::ffff:a.b.c.d.
    const auto bytes = address.to_v6().to_bytes();
    fill(std::span(bytes).last(address.to_v6().is_v4_mapped() ? 4 : bytes.size()));
  }
  inet.port = endpoint.port();
  return inet;
}

Client ClientAt(const Stream& stream) {
  Client client;
  client.address = ToInet(stream.peer_endpoint());
  client.local = ToInet(stream.local_endpoint());
  return client;
}

class Connection {
 public:
  Connection(Stream& stream, const ServerContext& context, bool authenticate)
      : stream_(stream),
        context_(context),
        gate_(stream.executor()),
        send_buffer_(context.answers),
        signal_(net::LoopSignal::Make(stream.executor(), [this] { OnMail(); })),
        mailbox_(std::make_shared<Mailbox>(signal_)),
        session_(context, ClientAt(stream), authenticate, send_buffer_, mailbox_),
        received_(context.requests) {
    if (stream.tls()) session_.OverTls(stream.tls_version(), stream.tls_cipher());
    stream_.OnAbort([this] {
      broken_ = true;
      gate_.Open();
    });
  }
  ~Connection() {
    signal_->Close();
    stream_.OnAbort(nullptr);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  Stream::Awaitable<void> Run() {
    stream_.SetIdle(false);
    stream_.ExpireAfter(context_.limits.handshake_timeout);
    while (co_await Read()) {
      std::string_view input = buffer_.data();
      const bool going = co_await Handle(input);
      buffer_.Consume(buffer_.data().size() - input.size());
      if (!going || stream_.draining() || !CountReceived()) break;
    }
    co_await Finish();
  }

 private:
  // False when there is nothing more to read.
  Stream::Awaitable<bool> Read() {
    while (Full() && !over()) co_await gate_.Wait();
    if (over()) co_return false;
    buffer_.Shrink(kReadBytes);
    const std::span<char> space = buffer_.Prepare(NextReadBytes());
    Settle();
    const Result<size_t> size = co_await stream_.ReadSome(space);
    if (!size.has_value()) {
      if (!stream_.draining()) broken_ = true;
      co_return false;
    }
    if (*size == 0 || over()) co_return false;
    buffer_.Commit(*size);
    last_read_full_ = *size == space.size();
    context_.metrics.CountRead(*size);
    stream_.SetIdle(false);
    co_return true;
  }

  size_t NextReadBytes() const {
    if (!buffer_.empty() && buffer_.data().size() >= kBusyReadBytes) return kLargeReadBytes;
    if (session_.partial_bytes() > 0) return kLargeReadBytes;
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
      const Session::Step step = session_.Take(input);
      if (step == Session::Step::kTook) continue;
      Flush();
      send_buffer_.EndBurst();
      co_return step == Session::Step::kNeedInput;
    }
  }

  // False when there is no memory for the message that is coming in.
  bool CountReceived() {
    const size_t bytes = buffer_.data().size() + session_.partial_bytes();
    if (received_.TryHold(bytes > kUncountedBytes ? bytes : 0)) return true;
    session_.RefuseInput();
    Flush();
    return false;
  }

  bool Full() const {
    const ConnectionLimits& limits = context_.limits;
    if (session_.in_flight() == 0) return send_buffer_.unsent_bytes() > limits.unsent_bytes_max;
    return session_.in_flight() >= limits.requests_max ||
           send_buffer_.unsent_bytes() + session_.expected_bytes() > limits.unsent_bytes_max;
  }
  bool over() const { return broken_ || session_.over(); }

  // On the loop, after something has come from elsewhere.
  void OnMail() {
    Pump();
    Settle();
    gate_.Open();
    // The reader waits for bytes that may never come: end its wait.
    if (session_.over()) stream_.ExpireAfter(std::chrono::milliseconds(0));
  }

  // Writes and sends the answers that have come, as many as the client takes.
  void Pump() {
    bool all_given = false;
    while (!all_given && !writing_ && !broken_) {
      all_given = mailbox_->Empty();
      Flush();
    }
  }

  // Sends what has gathered, or starts to, unless a write is under way, which will go on with it.
  void Flush() {
    while (!writing_ && !broken_) {
      const std::string_view wire = send_buffer_.Wire();
      if (wire.empty()) return;
      const Result<size_t> size = stream_.TryWrite(wire);
      if (!size.has_value()) return Break();
      if (*size == 0) return StartWrite(wire.substr(0, kWritePieceBytes));
      Sent(*size);
    }
  }

  void StartWrite(std::string_view piece) {
    writing_ = true;
    if (session_.ready()) stream_.ExpireAfter(context_.limits.write_timeout);
    stream_.StartWrite(piece, [this, size = piece.size()](const Status& written) {
      writing_ = false;
      if (written.has_value()) {
        Sent(size);
        Pump();
        Settle();
      } else {
        if (stream_.expired()) context_.metrics.CountSlowReader();
        Break();
      }
      gate_.Open();
    });
  }

  void Sent(size_t size) {
    send_buffer_.Consume(size);
    context_.metrics.CountWritten(size);
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
    if (session_.ready() && !writing_) stream_.NeverExpire();
    stream_.SetIdle(session_.in_flight() == 0 && !writing_ && buffer_.empty());
  }

  // Whether all that will be said is on its way to the client, or cannot be said.
  bool AllSaid() {
    Pump();
    if (broken_) return true;
    return send_buffer_.unsent_bytes() == 0 && (session_.over() || session_.in_flight() == 0);
  }

  // The client sends no more, or nothing more is wanted from it: answers what it asked, then
  // closes.
  Stream::Awaitable<void> Finish() {
    while (!AllSaid()) co_await gate_.Wait();
    while (writing_) co_await gate_.Wait();
    if (broken_) co_return;
    co_await stream_.Close(session_.over() ? Stream::CloseMode::kLinger
                                           : Stream::CloseMode::kAtOnce);
  }

  Stream& stream_;
  const ServerContext& context_;
  net::Gate gate_;
  net::ReadBuffer buffer_;
  SendBuffer send_buffer_;
  const std::shared_ptr<net::LoopSignal> signal_;
  const std::shared_ptr<Mailbox> mailbox_;
  Session session_;
  ByteShare received_;
  bool writing_ = false;
  bool broken_ = false;  // neither read nor write any more
  bool last_read_full_ = false;
};

}  // namespace

Stream::Awaitable<void> ServeCql(Stream& stream, const ServerContext& context, bool authenticate) {
  Connection connection(stream, context, authenticate);
  co_await connection.Run();
}

}  // namespace orrery::cassandra
