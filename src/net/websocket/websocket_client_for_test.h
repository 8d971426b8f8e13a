// A blocking WebSocket client that sends whatever a test wants, however malformed, and reads what a
// server sends, strictly.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/bytes.h"
#include "net/raw_socket_for_test.h"
#include "net/websocket/websocket_frame.h"

namespace orrery::net {

class WebSocketClient {
 public:
  struct Received {
    WebSocketOpcode opcode{};
    std::string payload{};
    bool closed = false;  // the server has closed without a frame

    // Of a close frame; 0 if it has none.
    uint16_t code() const {
      return payload.size() < 2 ? 0 : LoadBigEndian<uint16_t>(payload.data());
    }
  };

  explicit WebSocketClient(uint16_t port) : socket_(port) {}

  RawSocket& socket() { return socket_; }

  // The head of the server's answer. `behind` is sent with the handshake, in one go.
  std::string Handshake(std::string_view extra_headers = "", std::string_view behind = "") {
    socket_.Send(std::string("GET /socket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
                             "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                             "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n")
                     .append(extra_headers)
                     .append("\r\n")
                     .append(behind));
    return socket_.ReadUntil("\r\n\r\n");
  }

  static std::string Frame(WebSocketOpcode opcode, std::string_view payload, bool fin = true) {
    std::string frame;
    AppendMaskedFrame(frame, opcode, payload, {1, 2, 3, 4}, fin);
    return frame;
  }
  bool Send(WebSocketOpcode opcode, std::string_view payload, bool fin = true) {
    return socket_.Send(Frame(opcode, payload, fin));
  }

  Received Receive() {
    if (!Fill(2)) return {.closed = true};
    const auto first = static_cast<uint8_t>(bytes_[0]);
    const auto second = static_cast<uint8_t>(bytes_[1]);
    EXPECT_EQ(first & 0xF0, 0x80) << "whole, no reserved bits";
    EXPECT_EQ(second & 0x80, 0) << "servers do not mask";
    size_t head = 2;
    uint64_t length = second;
    if (second == 126 && Fill(4)) {
      length = LoadBigEndian<uint16_t>(bytes_.data() + 2);
      head = 4;
    } else if (second == 127 && Fill(10)) {
      length = LoadBigEndian<uint64_t>(bytes_.data() + 2);
      head = 10;
    }
    if (!Fill(head + length)) return {.closed = true};
    Received received{static_cast<WebSocketOpcode>(first & 0x0F), bytes_.substr(head, length)};
    bytes_.erase(0, head + length);
    return received;
  }

 private:
  bool Fill(size_t size) {
    while (bytes_.size() < size) {
      const std::string more = socket_.ReadSome();
      if (more.empty()) return false;
      bytes_ += more;
    }
    return true;
  }

  RawSocket socket_;
  std::string bytes_;
};

}  // namespace orrery::net
