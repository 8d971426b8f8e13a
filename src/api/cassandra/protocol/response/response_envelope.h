// The outside of every response: envelope header, the optional fields at the head of the body, and
// what happens when the body is complete (its length is patched in, it may be compressed).
//
//   body := [tracing id:[uuid]] [warnings:[string list] | payload:[bytes map]] message
//
// A response with warnings has no payload. The protocol's documents put the warnings first, and so
// does Cassandra; the Java drivers (3.x and 4.x) read the payload first, take the warnings for it
// and close the connection. With one of the two every client reads the same.
//
// Responses are appended to one growing buffer per connection. In v3 and v4 that buffer is what
// goes out; in v5 AppendFrames (frame.h) wraps it once before each write.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "api/cassandra/protocol/body/primitives.h"
#include "api/cassandra/protocol/frame/compression.h"
#include "api/cassandra/protocol/frame/envelope.h"
#include "api/cassandra/protocol/opcode.h"
#include "api/cassandra/protocol/protocol_version.h"

namespace orrery::cassandra {

// To whom and with what at its head. Views: must live until the response is begun.
struct ResponseHead {
  ProtocolVersion version = kProtocolVersionMax;
  int16_t stream = 0;
  Compression compression = Compression::kNone;  // of bodies; ignored in v5
  std::optional<Uuid> tracing_id;
  std::span<const std::string> warnings;  // v4 on; not sent in v3
  std::span<const PayloadEntry> payload;  // likewise, and not sent with warnings
};

// One response under construction at the end of `out`. The caller appends the message to `out`
// itself, then calls Finish or Abandon exactly once; nothing else is written to `out` meanwhile.
class ResponseEnvelope {
 public:
  // `out` must outlive this.
  ResponseEnvelope(std::string& out, Opcode opcode, const ResponseHead& head);
  ResponseEnvelope(const ResponseEnvelope&) = delete;
  ResponseEnvelope& operator=(const ResponseEnvelope&) = delete;

  std::string& out() const { return out_; }

  // Overwrites the value that the head gave `key` in its payload: for what is known only once the
  // message is complete, like a charge. REQUIRES: the same size. Without the key (v3, or warnings):
  // no effect.
  void SetPayloadValue(std::string_view key, std::string_view value);

  // A body beyond kBodyBytesMax becomes an ERROR that says so.
  void Finish();
  // Takes back everything, so that another response can be written instead.
  void Abandon() { out_.resize(start_); }

 private:
  void ReplaceByTooBig(size_t body_bytes);

  std::string& out_;
  const size_t start_;
  const Compression compression_;
  size_t payload_start_ = 0;  // 0: there is none
  size_t message_start_ = 0;
};

}  // namespace orrery::cassandra
