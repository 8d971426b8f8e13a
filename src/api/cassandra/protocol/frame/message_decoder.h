// One connection's way from received bytes to messages: bare envelopes at first, frames after
// STARTUP in v5, decompressed bodies throughout.
//
// The caller keeps one input buffer. It calls Next until that gives nothing, handles what it got
// meanwhile, and only then moves or extends the buffer: the bodies view it (or memory of the
// decoder, which the next call overwrites). Not thread-safe; one per connection.
#pragma once

#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "api/cassandra/protocol/frame/compression.h"
#include "api/cassandra/protocol/frame/envelope.h"
#include "api/cassandra/protocol/frame/frame.h"

namespace orrery::cassandra {

class MessageDecoder {
 public:
  explicit MessageDecoder(Direction direction, size_t body_bytes_max = kBodyBytesMax);

  // STARTUP was accepted: messages have this version from now on and may be compressed; in v5 the
  // next byte begins a frame. REQUIRES: called once; in v5 not snappy.
  void Start(ProtocolVersion version, Compression compression);

  // Moves `input` past what it took. Nothing: more input is needed. After a error that is not
  // fatal the next call goes on behind the refused message, which may be input yet to come.
  std::expected<std::optional<Envelope>, EnvelopeError> Next(std::string_view& input);

  // Returns the bytes that it holds of a partial message, besides what is left in `input`.
  size_t partial_bytes() const { return frames_.has_value() ? frames_->partial_bytes() : 0; }
  size_t memory_bytes() const {
    return plain_body_.capacity() + (frames_.has_value() ? frames_->memory_bytes() : 0);
  }

 private:
  using Decoded = std::expected<std::optional<Envelope>, EnvelopeError>;
  Decoded NextBare(std::string_view& input);
  Decoded NextFramed(std::string_view& input);
  Decoded Plain(Envelope envelope);

  EnvelopeRules rules_;
  Compression compression_ = Compression::kNone;
  std::optional<FrameDecoder> frames_;
  std::string_view run_;  // what is left of the envelopes that the last frame held
  std::string plain_body_;
  size_t skip_bytes_ = 0;  // of a refused message
};

}  // namespace orrery::cassandra
