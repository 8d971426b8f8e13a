// Frames are what two nodes exchange once each has authenticated the other (rpc_handshake.h).
//
//   frame := length:uint32 crc:uint32 kind:uint8 id:uint64 method:uint16 payload
//
// Numbers are big-endian. `length` counts what follows `crc`, and `crc` is the CRC-32C of just
// that.
//   request  the caller's: `id` is new on this connection, `payload` is the method's business
//   answer   the callee's, to the request of that id and method; in any order
//   error    the same, with a payload of rpc_error.h
//   ping     from either side, when it had nothing else to say for a while; id 0, no payload
//
// Numbers of kinds travel: never reuse one, only add.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace orrery::net {

inline constexpr size_t kRpcPayloadBytesMax = 64 << 20;
inline constexpr size_t kRpcHeaderBytes = 19;

enum class RpcFrameKind : uint8_t { kRequest = 1, kAnswer = 2, kError = 3, kPing = 4 };

struct RpcFrame {
  RpcFrameKind kind = RpcFrameKind::kPing;
  uint64_t id = 0;
  uint16_t method = 0;
  std::string payload;
  friend bool operator==(const RpcFrame&, const RpcFrame&) = default;
};

// All of a frame but its payload, which is to be sent right behind.
// REQUIRES: the payload has at most kRpcPayloadBytesMax bytes.
std::string EncodeRpcHeader(const RpcFrame& frame);

// Makes frames of bytes that come in pieces. Memory for a payload is taken when its header has
// come: only for peers that have proved who they are. Not thread-safe.
class RpcFrameDecoder {
 public:
  // Takes bytes off the front of `input`: all of them, or up to the end of a frame, which it
  // returns. kInvalidArgument: these are no frames, and nothing that follows can be understood.
  Result<std::optional<RpcFrame>> Take(std::string_view& input);

  // Returns whether the last bytes ended within a frame.
  bool partial() const { return !header_.empty(); }

 private:
  Status ReadHeader();

  std::string header_;  // its bytes so far
  RpcFrame frame_;      // once the header is there
  size_t missing_ = 0;  // of the payload
  uint32_t wanted_crc_ = 0;
};

}  // namespace orrery::net
