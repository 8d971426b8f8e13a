#include "api/sql/direct/protocol/frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "api/sql/direct/protocol/token.h"

namespace orrery::sql::direct {
namespace {

constexpr size_t kSizeBytes = 4;
constexpr size_t kHeadStartBytes = kSizeBytes + 2 + 2 + kGuidBytes;

std::unexpected<Error> Malformed(std::string why) {
  return Fail(Code::kInvalidArgument, "the bytes are no RNTBD request: " + std::move(why));
}

// Returns whether a body follows; nullopt when the tokens are malformed.
std::optional<bool> HasBody(std::string_view tokens) {
  bool present = false;
  TokenReader reader(tokens);
  while (const auto token = reader.Next()) {
    if (token->id == static_cast<uint16_t>(RequestToken::kPayloadPresent))
      present = token->AsInteger().value_or(0) != 0;
  }
  if (reader.malformed()) return std::nullopt;
  return present;
}

uint16_t Number(AnswerToken id) { return static_cast<uint16_t>(id); }

}  // namespace

Result<std::optional<RequestFrame>> FrameDecoder::Next(std::string_view& input) {
  const size_t skipped = std::min(skipping_, input.size());
  input.remove_prefix(skipped);
  skipping_ -= skipped;
  if (skipping_ > 0 || input.size() < std::max(wanted_, kSizeBytes)) return std::nullopt;

  const size_t head = LoadUInt32(input.data());
  if (head < kHeadStartBytes || head > kHeadBytesMax)
    return Malformed(fmt::format("a head of {} bytes", head));
  wanted_ = head;
  if (input.size() < wanted_) return std::nullopt;

  RequestFrame frame{.resource = LoadUInt16(input.data() + kSizeBytes),
                     .operation = LoadUInt16(input.data() + kSizeBytes + 2),
                     .tokens = input.substr(kHeadStartBytes, head - kHeadStartBytes)};
  std::memcpy(frame.activity.bytes.data(), input.data() + kSizeBytes + 4, kGuidBytes);
  // Tokens of the first frame have other meanings, and no body.
  const auto has_body =
      frame.is(WireResource::kConnection) ? std::optional(false) : HasBody(frame.tokens);
  if (!has_body.has_value()) return Malformed("a token that ends behind the head, or of no type");
  if (*has_body) {
    wanted_ = head + kSizeBytes;
    if (input.size() < wanted_) return std::nullopt;
    const size_t body = LoadUInt32(input.data() + head);
    if (body > kSkippedBodyBytesMax) return Malformed(fmt::format("a body of {} bytes", body));
    frame.body_too_large = body > kBodyBytesMax;
    if (frame.body_too_large) {
      skipping_ = body;
    } else {
      wanted_ += body;
      if (input.size() < wanted_) return std::nullopt;
      frame.body = input.substr(head + kSizeBytes, body);
    }
  }
  input.remove_prefix(wanted_);
  wanted_ = 0;
  return frame;
}

AnswerWriter::AnswerWriter(std::string& out, uint32_t status, const Guid& activity)
    : out_(out), begin_(out.size()) {
  AppendUInt32(out_, 0);
  AppendUInt32(out_, status);
  out_.append(activity.bytes.data(), activity.bytes.size());
}

void AnswerWriter::Byte(AnswerToken id, uint8_t value) { AppendByteToken(out_, Number(id), value); }
void AnswerWriter::UInt32(AnswerToken id, uint32_t value) {
  AppendUInt32Token(out_, Number(id), value);
}
void AnswerWriter::Int64(AnswerToken id, int64_t value) {
  AppendInt64Token(out_, Number(id), value);
}
void AnswerWriter::Double(AnswerToken id, double value) {
  AppendDoubleToken(out_, Number(id), value);
}
void AnswerWriter::SmallText(AnswerToken id, std::string_view value) {
  AppendSmallTextToken(out_, Number(id), value);
}
void AnswerWriter::Text(AnswerToken id, std::string_view value) {
  AppendTextToken(out_, Number(id), value);
}

void AnswerWriter::Finish(std::string_view body) {
  Byte(AnswerToken::kPayloadPresent, body.empty() ? 0 : 1);
  const auto size = static_cast<uint32_t>(out_.size() - begin_);
  std::memcpy(out_.data() + begin_, &size, sizeof(size));
  if (body.empty()) return;
  AppendUInt32(out_, static_cast<uint32_t>(body.size()));
  out_.append(body);
}

}  // namespace orrery::sql::direct
