// Frames of Direct mode as clients write and read them, for tests.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "api/sql/direct/protocol/frame.h"
#include "api/sql/direct/protocol/token.h"

namespace orrery::sql::direct {

// Gathers tokens, then makes a frame of them.
class TestFrame {
 public:
  TestFrame(WireResource resource, WireOperation operation)
      : resource_(static_cast<uint16_t>(resource)), operation_(static_cast<uint16_t>(operation)) {}

  TestFrame& Text(RequestToken id, std::string_view value) {
    AppendTextToken(tokens_, static_cast<uint16_t>(id), value);
    return *this;
  }
  TestFrame& Byte(RequestToken id, uint8_t value) {
    AppendByteToken(tokens_, static_cast<uint16_t>(id), value);
    return *this;
  }
  TestFrame& Number(RequestToken id, uint32_t value) {
    AppendUInt32Token(tokens_, static_cast<uint16_t>(id), value);
    return *this;
  }
  TestFrame& Raw(std::string_view bytes) {
    tokens_.append(bytes);
    return *this;
  }
  TestFrame& Body(std::string_view body) {
    body_ = body;
    return *this;
  }

  std::string bytes() const {
    std::string tokens = tokens_;
    if (resource_ != 0)
      AppendByteToken(tokens, static_cast<uint16_t>(RequestToken::kPayloadPresent),
                      body_.has_value() ? 1 : 0);
    std::string frame;
    AppendUInt32(frame, static_cast<uint32_t>(24 + tokens.size()));
    AppendUInt16(frame, resource_);
    AppendUInt16(frame, operation_);
    frame.append("0123456789abcdef");  // the activity
    frame += tokens;
    if (body_.has_value()) {
      AppendUInt32(frame, static_cast<uint32_t>(body_->size()));
      frame += *body_;
    }
    return frame;
  }

 private:
  const uint16_t resource_;
  const uint16_t operation_;
  std::string tokens_;
  std::optional<std::string> body_;
};

// The first frame of a connection.
inline std::string TestHandshake(uint32_t version = 1) {
  std::string tokens;
  AppendUInt32Token(tokens, static_cast<uint16_t>(ContextToken::kProtocolVersion), version);
  AppendSmallTextToken(tokens, static_cast<uint16_t>(ContextToken::kClientVersion), "2020-07-15");
  AppendSmallTextToken(tokens, static_cast<uint16_t>(ContextToken::kAgent), "a test");
  return TestFrame(WireResource::kConnection, WireOperation::kConnection).Raw(tokens).bytes();
}

// An answer taken apart.
struct TestAnswerFrame {
  struct Value {
    TokenType type = TokenType::kByte;
    std::string bytes;
  };
  uint32_t status = 0;
  std::map<uint16_t, Value> tokens;
  std::string body;

  std::optional<int64_t> Number(AnswerToken id) const {
    const auto found = tokens.find(static_cast<uint16_t>(id));
    if (found == tokens.end()) return std::nullopt;
    return Token{.type = found->second.type, .value = found->second.bytes}.AsInteger();
  }
  // "" when there is none.
  std::string Text(AnswerToken id) const {
    const auto found = tokens.find(static_cast<uint16_t>(id));
    return found == tokens.end() ? "" : found->second.bytes;
  }
};

// The answer at the head of `input`, moving past it; nullopt when it is not whole. `is_context`:
// the answer to the first frame, which has a body when it is an error.
inline std::optional<TestAnswerFrame> TakeAnswer(std::string_view& input, bool is_context = false) {
  if (input.size() < 24 || input.size() < LoadUInt32(input.data())) return std::nullopt;
  const size_t head = LoadUInt32(input.data());
  TestAnswerFrame answer;
  answer.status = LoadUInt32(input.data() + 4);
  bool has_body = is_context && answer.status >= 300;
  TokenReader reader(input.substr(24, head - 24));
  while (const auto token = reader.Next()) {
    answer.tokens[token->id] = {token->type, std::string(token->value)};
    if (!is_context && token->id == static_cast<uint16_t>(AnswerToken::kPayloadPresent))
      has_body = token->AsInteger() == 1;
  }
  if (reader.malformed()) return std::nullopt;
  size_t size = head;
  if (has_body) {
    if (input.size() < head + 4) return std::nullopt;
    const size_t body = LoadUInt32(input.data() + head);
    size += 4 + body;
    if (input.size() < size) return std::nullopt;
    answer.body = input.substr(head + 4, body);
  }
  input.remove_prefix(size);
  return answer;
}

}  // namespace orrery::sql::direct
