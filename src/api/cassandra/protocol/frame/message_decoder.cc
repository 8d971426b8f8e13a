#include "api/cassandra/protocol/frame/message_decoder.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace orrery::cassandra {

MessageDecoder::MessageDecoder(Direction direction, size_t body_bytes_max)
    : rules_{direction, std::nullopt, body_bytes_max} {}

void MessageDecoder::Start(ProtocolVersion version, Compression compression) {
  ORRERY_CHECK(!rules_.version.has_value());
  rules_.version = version;
  if (version < ProtocolVersion::kV5) {
    compression_ = compression;
    return;
  }
  ORRERY_CHECK(compression != Compression::kSnappy);
  frames_.emplace(compression == Compression::kLz4 ? FrameFormat::kLz4 : FrameFormat::kPlain,
                  rules_.body_bytes_max);
}

MessageDecoder::Decoded MessageDecoder::Next(std::string_view& input) {
  return frames_.has_value() ? NextFramed(input) : NextBare(input);
}

MessageDecoder::Decoded MessageDecoder::NextBare(std::string_view& input) {
  const size_t skipped = std::min(skip_bytes_, input.size());
  input.remove_prefix(skipped);
  skip_bytes_ -= skipped;
  Decoded decoded = DecodeEnvelope(input, rules_);
  if (!decoded.has_value()) {
    skip_bytes_ = decoded.error().skip_bytes;
    return decoded;
  }
  if (!decoded->has_value()) {
    ReleaseLarge(plain_body_);
    return decoded;
  }
  const Envelope envelope = **decoded;
  input.remove_prefix(envelope.size());
  return Plain(envelope);
}

MessageDecoder::Decoded MessageDecoder::Plain(Envelope envelope) {
  if ((envelope.header.flags & kFlagCompressed) == 0) return envelope;
  const auto refuse = [&](std::string text) {
    // The message was taken whole, so whatever follows it begins right here.
    return std::unexpected(EnvelopeError{ProtocolError(std::move(text)), envelope.header.version,
                                         envelope.header.stream, envelope.size()});
  };
  if (compression_ == Compression::kNone) {
    return refuse("A compressed message came on a connection that agreed on no compression");
  }
  const Status status =
      DecompressBody(compression_, envelope.body, rules_.body_bytes_max, plain_body_);
  if (!status.has_value()) return refuse(status.error().message());
  envelope.body = plain_body_;
  return envelope;
}

MessageDecoder::Decoded MessageDecoder::NextFramed(std::string_view& input) {
  const auto end_connection = [&](std::string text) {
    return std::unexpected(EnvelopeError{ProtocolError(std::move(text)), *rules_.version, 0, 0});
  };
  while (run_.empty()) {
    const Result<std::optional<std::string_view>> run = frames_->Next(input);
    if (!run.has_value()) return end_connection(run.error().message());
    if (!run->has_value()) return std::nullopt;
    run_ = **run;
  }
  Decoded decoded = DecodeEnvelope(run_, rules_);
  if (!decoded.has_value()) {
    // After an envelope that does not end inside its frame there is nothing to go on from.
    if (decoded.error().skip_bytes > run_.size()) decoded.error().skip_bytes = 0;
    run_.remove_prefix(decoded.error().skip_bytes);
    return decoded;
  }
  if (!decoded->has_value()) return end_connection("A frame ends inside a message");
  run_.remove_prefix((*decoded)->size());
  return decoded;
}

}  // namespace orrery::cassandra
