#include "net/websocket/websocket_channel.h"

namespace orrery::net {

bool WebSocketChannel::Send(WebSocketKind kind, std::string payload) {
  const size_t bytes = payload.size();
  if (backlog_bytes_.fetch_add(bytes, std::memory_order_relaxed) + bytes > kBacklogBytesMax) {
    backlog_bytes_.fetch_sub(bytes, std::memory_order_relaxed);
    Close(WebSocketClose::kPolicyViolation, "the client reads too slowly");
    return false;
  }
  mailbox_.Put(OutgoingMessage{kind, std::move(payload)});
  return true;
}

void WebSocketChannel::Close(WebSocketClose code, std::string reason) {
  if (closing_.exchange(true)) return;
  mailbox_.Put(OutgoingClose{code, std::move(reason)});
}

void WebSocketChannel::Cut() {
  if (!closing_.exchange(true)) mailbox_.Put(OutgoingCut{});
}

void WebSocketChannel::LetIn() { mailbox_.Put(ClientLetIn{}); }

}  // namespace orrery::net
