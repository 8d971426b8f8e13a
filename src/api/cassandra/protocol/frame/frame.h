// The frames that carry envelopes in v5, once STARTUP has been answered: checksummed, optionally
// lz4-compressed, one or many envelopes each.
//
//   frame  := header crc24:uint24 payload crc32:uint32                        ; little-endian
//   header := plain: size:17 self_contained:1 padding:6                       ; 3 bytes
//           | lz4:   compressed size:17 size:17 self_contained:1 padding:5    ; 5 bytes
//
// The size is the payload's on the wire; in the lz4 form a second size of 0 says that this payload
// is not compressed. crc24 is the header's, crc32 the payload's as it is on the wire (checksum.h).
// A self-contained frame holds whole envelopes; the others hold the consecutive pieces of one
// envelope that is too large for a frame.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/cassandra/protocol/frame/envelope.h"
#include "base/status.h"

namespace orrery::cassandra {

enum class FrameFormat : uint8_t { kPlain, kLz4 };

inline constexpr size_t kFramePayloadBytesMax = (size_t{1} << 17) - 1;

// Appends `envelopes`, whole and in order, as few frames as hold them.
// REQUIRES: nothing but whole envelopes.
void AppendFrames(std::string& out, std::string_view envelopes, FrameFormat format);

// Takes frames off the head of a connection's input and gives back runs of whole envelopes.
//
// Any error is the connection's end: after a wrong checksum or size nobody can tell where the next
// frame begins. Memory is bounded by one frame and one envelope of `body_bytes_max`; between
// messages there is next to none. Not thread-safe; one per connection.
class FrameDecoder {
 public:
  explicit FrameDecoder(FrameFormat format, size_t body_bytes_max = kBodyBytesMax)
      : body_bytes_max_(body_bytes_max), format_(format) {}

  // Moves `input` past the frames it took. Nothing: more input is needed. The view is valid until
  // the next call and while the bytes of `input` stay where they are; it may be empty.
  Result<std::optional<std::string_view>> Next(std::string_view& input);

  // Of a large envelope whose last piece has not come, decompressed: a client may make them out of
  // far fewer.
  size_t partial_bytes() const { return large_given_ ? 0 : large_.size(); }
  size_t memory_bytes() const { return plain_.capacity() + large_.capacity(); }

 private:
  struct Header {
    size_t wire_bytes = 0;
    size_t plain_bytes = 0;  // 0: not compressed
    bool self_contained = false;
  };

  size_t header_bytes() const { return format_ == FrameFormat::kPlain ? 3 : 5; }
  Result<Header> DecodeHeader(std::string_view bytes) const;
  // Adds a piece of a large envelope; true when that was its last.
  Result<bool> AddPiece(std::string_view piece);

  const size_t body_bytes_max_;
  const FrameFormat format_;
  std::string plain_;  // the decompressed payload that was given out last
  std::string large_;  // the pieces of a large envelope so far
  bool large_given_ = false;
};

}  // namespace orrery::cassandra
