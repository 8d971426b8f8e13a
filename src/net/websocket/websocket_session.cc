#include "net/websocket/websocket_session.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "base/log.h"
#include "base/overload.h"

namespace orrery::net {
namespace {

// Smaller messages cost more by being under way than by their bytes.
constexpr size_t kUncountedMessageBytes = 512;

WebSocketOpcode OpcodeOf(WebSocketKind kind) {
  return kind == WebSocketKind::kText ? WebSocketOpcode::kText : WebSocketOpcode::kBinary;
}

}  // namespace

WebSocketSession::WebSocketSession(const FramedLink& link, const WebSocketOptions& options,
                                   const WebSocketHandlerFactory& factory)
    : FramedSession(link),
      channel_(std::make_shared<WebSocketChannel>(link.signal)),
      decoder_(options.limits) {
  channel_->mailbox_.Open(*this);
  if (options.let_in) SetReady();
  handler_ = factory(channel_, link.peer);
}

WebSocketSession::~WebSocketSession() {
  // The handler may still say something, to nobody.
  channel_->mailbox_.Close();
}

size_t WebSocketSession::partial_bytes() const {
  return decoder_.incomplete() ? std::max<size_t>(decoder_.partial_bytes(), 1) : 0;
}

FramedSession::Step WebSocketSession::TakeMessage(std::string_view& input) {
  if (!input.empty()) asked_ = false;
  // Control frames are no messages: a client cannot gain time for a message by pings between its
  // fragments.
  while (!over()) {
    const auto next = decoder_.Next(input);
    if (!next.has_value()) {
      Close(next.error().code, next.error().reason);
      return Step::kOver;
    }
    if (!next->has_value()) return Step::kNeedInput;
    const WebSocketEvent& event = **next;
    Handle(event);
    if (event.opcode == WebSocketOpcode::kText || event.opcode == WebSocketOpcode::kBinary)
      return Step::kTook;
  }
  return Step::kOver;
}

void WebSocketSession::Handle(const WebSocketEvent& event) {
  switch (event.opcode) {
    case WebSocketOpcode::kPing:
      return AppendWebSocketFrame(out().gather(), WebSocketOpcode::kPong, event.payload);
    case WebSocketOpcode::kPong:
      return;  // any byte is a sign of life
    case WebSocketOpcode::kClose:
      // The client's own code comes back to it.
      if (event.close_code.has_value()) {
        Close(static_cast<WebSocketClose>(*event.close_code), {});
      } else {
        AppendWebSocketFrame(out().gather(), WebSocketOpcode::kClose, {});
        SetOver();
      }
      return;
    default:
      return HandleMessage(event);
  }
}

void WebSocketSession::HandleMessage(const WebSocketEvent& event) {
  ByteShare memory;
  if (event.payload.size() > kUncountedMessageBytes) {
    memory = ByteShare(budget());
    if (!memory.TryHold(event.payload.size()))
      return Close(WebSocketClose::kTryAgainLater, "the server has too many bytes of requests");
  }
  const WebSocketKind kind =
      event.opcode == WebSocketOpcode::kText ? WebSocketKind::kText : WebSocketKind::kBinary;
  BeginRequest();
  WebSocketExchange exchange(channel_, std::move(memory));
  try {
    handler_->OnMessage(kind, event.payload, NewContext(), std::move(exchange));
    return;
  } catch (const std::exception& e) {
    LogError("a WebSocket handler threw: {}", e.what());
  } catch (...) {
    LogError("a WebSocket handler threw something that is no std::exception");
  }
  Close(WebSocketClose::kInternalError, "the server failed");
}

void WebSocketSession::TakeLetter(WebSocketLetter& letter) {
  std::visit(Overload{
                 [&](OutgoingMessage& message) {
                   const size_t bytes = message.payload.size();
                   channel_->backlog_bytes_.fetch_sub(bytes, std::memory_order_relaxed);
                   if (!over())
                     AppendWebSocketFrame(out().gather(), OpcodeOf(message.kind), message.payload);
                 },
                 [&](const OutgoingClose& close) { Close(close.code, close.reason); },
                 [&](OutgoingCut) { SetOver(); },
                 [&](ExchangeEnded) { EndRequest(); },
                 [&](ClientLetIn) { SetReady(); },
             },
             letter);
}

bool WebSocketSession::OnIdle() {
  if (std::exchange(asked_, true)) {
    Close(WebSocketClose::kPolicyViolation, "no answer to a ping");
    return false;
  }
  AppendWebSocketFrame(out().gather(), WebSocketOpcode::kPing, {});
  return true;
}

void WebSocketSession::OnDrain() { Close(WebSocketClose::kGoingAway, "the server is stopping"); }

void WebSocketSession::Refuse(Refusal why) {
  switch (why) {
    case Refusal::kNoMemory:
      return Close(WebSocketClose::kTryAgainLater, "the server has too many bytes of requests");
    case Refusal::kTooSlow:
      return Close(WebSocketClose::kPolicyViolation, "the message took too long to arrive");
    case Refusal::kTooLarge:
      return Close(WebSocketClose::kTooLarge, "the message is too large before authentication");
  }
}

void WebSocketSession::Close(WebSocketClose code, std::string_view reason) {
  if (over()) return;
  AppendWebSocketClose(out().gather(), code, reason);
  SetOver();
}

}  // namespace orrery::net
