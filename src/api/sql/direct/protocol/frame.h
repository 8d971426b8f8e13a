// Frames of RNTBD: a head of tokens, and behind it a body if one of the tokens says so.
//
//   request := size:uint32 resource:uint16 operation:uint16 activity:guid token* body?
//   answer  := size:uint32 status:uint32 activity:guid token* body?
//   body    := size:uint32 byte*size             if the token PayloadPresent is there and not 0
//
// `size` of a frame counts itself and the tokens, not the body. Not thread-safe; one decoder for
// each connection.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/sql/direct/protocol/guid.h"
#include "api/sql/direct/protocol/ids.h"
#include "base/status.h"

namespace orrery::sql::direct {

// Tokens take names, keys, and tokens that clients bring back: a session of thousands of partitions
// is the largest.
inline constexpr size_t kHeadBytesMax = 256 << 10;
// As over HTTP. A larger body is skipped and its request refused.
inline constexpr size_t kBodyBytesMax = 4 << 20;
// The size up to which a body is skipped; beyond it the connection ends.
inline constexpr size_t kSkippedBodyBytesMax = 64 << 20;

// Views of the bytes that it was read from.
struct RequestFrame {
  uint16_t resource = 0;
  uint16_t operation = 0;
  Guid activity{};
  std::string_view tokens{};
  std::string_view body{};
  bool body_too_large = false;  // and left out

  bool is(WireResource wanted) const { return resource == static_cast<uint16_t>(wanted); }
};

class FrameDecoder {
 public:
  // Returns the frame at the head of `input` and moves past it; nullopt when more bytes are needed.
  // kInvalidArgument when these are no frames: nothing behind them can be read.
  Result<std::optional<RequestFrame>> Next(std::string_view& input);

 private:
  size_t wanted_ = 0;    // bytes of the frame at the head of the input, as far as that is known
  size_t skipping_ = 0;  // of a body that was too large
};

// Writes one answer: head first, then tokens, then Finish. Appends to a buffer that may have others
// before it.
class AnswerWriter {
 public:
  // REQUIRES: `out` outlives it and is appended to by tokens only, until Finish.
  AnswerWriter(std::string& out, uint32_t status, const Guid& activity);
  AnswerWriter(const AnswerWriter&) = delete;
  AnswerWriter& operator=(const AnswerWriter&) = delete;

  void Byte(AnswerToken id, uint8_t value);
  void UInt32(AnswerToken id, uint32_t value);
  void Int64(AnswerToken id, int64_t value);
  void Double(AnswerToken id, double value);
  void SmallText(AnswerToken id, std::string_view value);
  void Text(AnswerToken id, std::string_view value);

  // Says how long the head is, and appends the body if there is one.
  void Finish(std::string_view body);

 private:
  std::string& out_;
  const size_t begin_;
};

}  // namespace orrery::sql::direct
