// A WebSocketChannel is how the code behind a WebSocket speaks to its client, from any thread; a
// WebSocketExchange is the same while one message of the client is being worked on.
//
// Messages go out in the order of the calls. A client that does not read makes a backlog: polite
// senders look at backlog_bytes() and pause; beyond kBacklogBytesMax the connection is closed
// (1008). After the connection's end everything is dropped: both may outlive connection, server and
// loop.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "base/byte_budget.h"
#include "net/framed/mailbox.h"
#include "net/websocket/websocket_frame.h"

namespace orrery::net {

class WebSocketSession;

enum class WebSocketKind : uint8_t { kText, kBinary };

// A message on its way from a channel to its connection's loop.
struct OutgoingMessage {
  WebSocketKind kind;
  std::string payload;
};
struct OutgoingClose {
  WebSocketClose code;
  std::string reason;
};
// Ends the connection without a word.
struct OutgoingCut {};
struct ExchangeEnded {};
struct ClientLetIn {};
using WebSocketLetter =
    std::variant<OutgoingMessage, OutgoingClose, OutgoingCut, ExchangeEnded, ClientLetIn>;

// Thread-safe.
class WebSocketChannel {
 public:
  // The bytes that may wait behind the connection's own send buffer.
  static constexpr size_t kBacklogBytesMax = size_t{64} << 20;

  // Made by the connection.
  explicit WebSocketChannel(std::shared_ptr<LoopSignal> signal) : mailbox_(std::move(signal)) {}

  // REQUIRES: text is UTF-8. False when the backlog is too large: the connection is being closed.
  bool Send(WebSocketKind kind, std::string payload);
  // Says why and ends the connection, behind all that was sent before. The first call counts.
  void Close(WebSocketClose code, std::string reason);
  // Ends the connection as if the network had.
  void Cut();
  // The client has shown who it is: the limits for strangers hold no longer.
  void LetIn();

  // Bytes that wait because the client has not read what was sent before.
  size_t backlog_bytes() const { return backlog_bytes_.load(std::memory_order_relaxed); }

 private:
  friend class WebSocketExchange;
  friend class WebSocketSession;

  Mailbox<WebSocketLetter, WebSocketSession> mailbox_;
  std::atomic<size_t> backlog_bytes_ = 0;
  std::atomic<bool> closing_ = false;
};

// One message of the client, until all that follows from it was said: it counts as a request under
// way as long as the exchange lives, so a client whose messages are not dealt with is not read from
// any further. Move-only; may be used and destroyed on any thread.
class WebSocketExchange {
 public:
  // Made by the connection. `memory` is the message's share of the server's budget.
  WebSocketExchange(std::shared_ptr<WebSocketChannel> channel, ByteShare memory)
      : channel_(std::move(channel)), memory_(std::move(memory)) {}
  WebSocketExchange(WebSocketExchange&&) noexcept = default;
  WebSocketExchange& operator=(WebSocketExchange&&) = delete;
  ~WebSocketExchange() {
    if (channel_) channel_->mailbox_.Put(ExchangeEnded{});
  }

  WebSocketChannel& channel() { return *channel_; }
  bool Send(WebSocketKind kind, std::string payload) {
    return channel_->Send(kind, std::move(payload));
  }
  // The message's share of the budget, for whoever keeps the message longer than the exchange.
  ByteShare TakeMemory() { return std::move(memory_); }

 private:
  std::shared_ptr<WebSocketChannel> channel_;
  ByteShare memory_;
};

}  // namespace orrery::net
