// A CQL client that sends whatever a test wants and shows what comes back.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/cassandra/protocol/body/body_reader.h"
#include "api/cassandra/protocol/body/body_writer.h"
#include "api/cassandra/protocol/frame/message_decoder.h"
#include "base/bytes.h"
#include "net/raw_socket_for_test.h"

namespace orrery::cassandra {

// A response, taken apart; or nothing but `closed`, when the server closed instead.
struct Answer {
  bool closed = false;
  EnvelopeHeader header{};
  std::optional<Uuid> tracing_id{};
  std::vector<std::string> warnings{};
  std::optional<double> charge{};
  std::string message{};  // behind all that

  Opcode opcode() const { return header.opcode; }
  int16_t stream() const { return header.stream; }
  bool is_error() const { return !closed && header.opcode == Opcode::kError; }
  int32_t Code() const { return BodyReader(message).Int(); }  // of an error, or a result's kind
  std::string ErrorText() const {
    BodyReader reader(message);
    reader.Int();
    return std::string(reader.String());
  }
};

inline Answer TakeApart(const Envelope& envelope) {
  Answer answer;
  answer.header = envelope.header;
  BodyReader reader(envelope.body);
  const uint8_t flags = envelope.header.flags;
  if ((flags & kFlagTracing) != 0) answer.tracing_id = reader.ReadUuid();
  if ((flags & kFlagWarnings) != 0) {
    for (const std::string_view warning : reader.StringList())
      answer.warnings.emplace_back(warning);
  }
  if ((flags & kFlagCustomPayload) != 0) {
    for (const PayloadEntry& entry : reader.BytesMap()) {
      EXPECT_EQ(entry.key, "RequestCharge");
      EXPECT_EQ(entry.value.value_or("").size(), sizeof(double));
      answer.charge = std::bit_cast<double>(LoadBigEndian<uint64_t>(entry.value->data()));
    }
  }
  EXPECT_TRUE(reader.ok());
  answer.message = std::string(envelope.body.substr(envelope.body.size() - reader.remaining()));
  return answer;
}

class CqlClient {
 public:
  explicit CqlClient(uint16_t port, ProtocolVersion version = ProtocolVersion::kV4)
      : socket_(port), version_(version), decoder_(Direction::kResponse) {
    EXPECT_TRUE(socket_.connected());
  }

  // STARTUP, and from then on what was agreed on. The answer is READY or AUTHENTICATE, or not.
  Answer Start(std::string_view compression = "") {
    std::string body;
    StringMap options = {{"CQL_VERSION", "3.0.0"}};
    if (!compression.empty()) options.emplace_back("COMPRESSION", compression);
    AppendStringMap(body, options);
    Answer answer = Ask(Opcode::kStartup, body);
    if (!answer.closed && !answer.is_error()) {
      compression_ = ToCompression(compression).value_or(Compression::kNone);
      decoder_.Start(version_, compression_);
      started_ = true;
    }
    return answer;
  }
  Answer LogIn(std::string_view user, std::string_view password) {
    std::string token;
    token.append(1, '\0').append(user).append(1, '\0').append(password);
    std::string body;
    AppendBytes(body, token);
    return Ask(Opcode::kAuthResponse, body);
  }

  // The bytes of a request, as this connection sends them.
  std::string Encode(Opcode opcode, std::string_view body, int16_t stream = 0,
                     uint8_t flags = 0) const {
    std::string payload(body);
    if (started_ && version_ < ProtocolVersion::kV5 && compression_ != Compression::kNone &&
        CompressTail(compression_, payload, 0)) {
      flags |= kFlagCompressed;
    }
    std::string envelope;
    AppendEnvelopeHeader(envelope, Direction::kRequest,
                         {.version = version_,
                          .flags = flags,
                          .stream = stream,
                          .opcode = opcode,
                          .body_bytes = static_cast<uint32_t>(payload.size())});
    envelope += payload;
    return envelope;
  }
  // One write, in v5 as few frames as hold them.
  bool SendEnvelopes(std::string_view envelopes) {
    if (!started_ || version_ < ProtocolVersion::kV5) return socket_.Send(envelopes);
    std::string frames;
    AppendFrames(frames, envelopes,
                 compression_ == Compression::kLz4 ? FrameFormat::kLz4 : FrameFormat::kPlain);
    return socket_.Send(frames);
  }
  bool Send(Opcode opcode, std::string_view body, int16_t stream = 0, uint8_t flags = 0) {
    return SendEnvelopes(Encode(opcode, body, stream, flags));
  }
  bool SendQuery(std::string_view text, int16_t stream = 0, uint8_t flags = 0) {
    return Send(Opcode::kQuery, QueryBody(text), stream, flags);
  }

  Answer Receive() {
    while (true) {
      const auto next = decoder_.Next(input_);
      EXPECT_TRUE(next.has_value()) << next.error().error.message;
      if (!next.has_value()) return {.closed = true};
      if (next->has_value()) return TakeApart(**next);
      std::string more = socket_.ReadSome();
      if (more.empty()) return {.closed = true};
      ++reads_;
      received_ = std::string(input_) + more;
      input_ = received_;
    }
  }
  Answer Ask(Opcode opcode, std::string_view body, int16_t stream = 0, uint8_t flags = 0) {
    if (!Send(opcode, body, stream, flags)) return {.closed = true};
    return Receive();
  }
  Answer Query(std::string_view text, int16_t stream = 0, uint8_t flags = 0) {
    return Ask(Opcode::kQuery, QueryBody(text), stream, flags);
  }

  std::string QueryBody(std::string_view text, bool skip_metadata = false) const {
    std::string body;
    AppendLongString(body, text);
    AppendParameters(body, skip_metadata);
    return body;
  }
  std::string ExecuteBody(std::string_view id, std::string_view metadata_id,
                          bool skip_metadata) const {
    std::string body;
    AppendShortBytes(body, id);
    if (version_ >= ProtocolVersion::kV5) AppendShortBytes(body, metadata_id);
    AppendParameters(body, skip_metadata);
    return body;
  }
  std::string PrepareBody(std::string_view text) const {
    std::string body;
    AppendLongString(body, text);
    if (version_ >= ProtocolVersion::kV5) AppendInt(body, 0);
    return body;
  }

  net::RawSocket& socket() { return socket_; }
  size_t reads() const { return reads_; }

 private:
  void AppendParameters(std::string& body, bool skip_metadata) const {
    constexpr uint8_t kSkipMetadata = 2;
    AppendConsistency(body, Consistency::kOne);
    const uint8_t flags = skip_metadata ? kSkipMetadata : 0;
    if (version_ >= ProtocolVersion::kV5) {
      AppendInt(body, flags);
    } else {
      AppendByte(body, flags);
    }
  }

  net::RawSocket socket_;
  const ProtocolVersion version_;
  MessageDecoder decoder_;
  Compression compression_ = Compression::kNone;
  bool started_ = false;
  std::string received_;
  std::string_view input_;
  size_t reads_ = 0;
};

}  // namespace orrery::cassandra
