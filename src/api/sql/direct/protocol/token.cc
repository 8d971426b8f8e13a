#include "api/sql/direct/protocol/token.h"

#include <bit>
#include <cstring>

#include "base/check.h"

namespace orrery::sql::direct {
namespace {

static_assert(std::endian::native == std::endian::little, "values are copied as they are");

constexpr size_t kTokenHeadBytes = 3;

template <typename T>
T Load(const char* data) {
  T value;
  std::memcpy(&value, data, sizeof(T));
  return value;
}

template <typename T>
void Append(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

void AppendHead(std::string& out, uint16_t id, TokenType type) {
  Append(out, id);
  out.push_back(static_cast<char>(type));
}

// The bytes of a value of fixed size; nullopt for other types.
std::optional<size_t> FixedSize(TokenType type) {
  switch (type) {
    case TokenType::kByte:
      return 1;
    case TokenType::kUInt16:
      return 2;
    case TokenType::kUInt32:
    case TokenType::kInt32:
    case TokenType::kFloat:
      return 4;
    case TokenType::kUInt64:
    case TokenType::kInt64:
    case TokenType::kDouble:
      return 8;
    case TokenType::kGuid:
      return 16;
    default:
      return std::nullopt;
  }
}

// The bytes of the size before a value; nullopt when there is no such type.
std::optional<size_t> SizeBytes(TokenType type) {
  switch (type) {
    case TokenType::kSmallText:
    case TokenType::kSmallBytes:
      return 1;
    case TokenType::kText:
    case TokenType::kBytes:
      return 2;
    case TokenType::kLargeText:
    case TokenType::kLargeBytes:
      return 4;
    default:
      return std::nullopt;
  }
}

size_t LoadSize(const char* data, size_t size_bytes) {
  if (size_bytes == 1) return static_cast<unsigned char>(*data);
  return size_bytes == 2 ? LoadUInt16(data) : LoadUInt32(data);
}

}  // namespace

std::optional<int64_t> Token::AsInteger() const {
  switch (type) {
    case TokenType::kByte:
      return static_cast<unsigned char>(value.front());
    case TokenType::kUInt16:
      return LoadUInt16(value.data());
    case TokenType::kUInt32:
      return LoadUInt32(value.data());
    case TokenType::kInt32:
      return Load<int32_t>(value.data());
    case TokenType::kUInt64:
    case TokenType::kInt64:
      return Load<int64_t>(value.data());
    default:
      return std::nullopt;
  }
}

std::optional<std::string_view> Token::AsText() const {
  if (!SizeBytes(type).has_value()) return std::nullopt;
  return value;
}

std::optional<Token> TokenReader::Next() {
  if (rest_.empty() || malformed_) return std::nullopt;
  malformed_ = true;  // until it is seen to be a token
  if (rest_.size() < kTokenHeadBytes) return std::nullopt;
  Token token{.id = LoadUInt16(rest_.data()),
              .type = static_cast<TokenType>(static_cast<uint8_t>(rest_[2])),
              .value = {}};
  size_t at = kTokenHeadBytes;
  std::optional<size_t> size = FixedSize(token.type);
  if (!size.has_value()) {
    const auto size_bytes = SizeBytes(token.type);
    if (!size_bytes.has_value() || rest_.size() - at < *size_bytes) return std::nullopt;
    size = LoadSize(rest_.data() + at, *size_bytes);
    at += *size_bytes;
  }
  if (rest_.size() - at < *size) return std::nullopt;
  token.value = rest_.substr(at, *size);
  rest_.remove_prefix(at + *size);
  malformed_ = false;
  return token;
}

void AppendByteToken(std::string& out, uint16_t id, uint8_t value) {
  AppendHead(out, id, TokenType::kByte);
  Append(out, value);
}

void AppendUInt32Token(std::string& out, uint16_t id, uint32_t value) {
  AppendHead(out, id, TokenType::kUInt32);
  Append(out, value);
}

void AppendInt64Token(std::string& out, uint16_t id, int64_t value) {
  AppendHead(out, id, TokenType::kInt64);
  Append(out, value);
}

void AppendDoubleToken(std::string& out, uint16_t id, double value) {
  AppendHead(out, id, TokenType::kDouble);
  Append(out, value);
}

void AppendSmallTextToken(std::string& out, uint16_t id, std::string_view value) {
  ORRERY_CHECK(value.size() <= kSmallTextBytesMax);
  AppendHead(out, id, TokenType::kSmallText);
  Append(out, static_cast<uint8_t>(value.size()));
  out.append(value);
}

void AppendTextToken(std::string& out, uint16_t id, std::string_view value) {
  ORRERY_CHECK(value.size() <= kTextBytesMax);
  AppendHead(out, id, TokenType::kText);
  Append(out, static_cast<uint16_t>(value.size()));
  out.append(value);
}

void AppendUInt32(std::string& out, uint32_t value) { Append(out, value); }
void AppendUInt16(std::string& out, uint16_t value) { Append(out, value); }
uint32_t LoadUInt32(const char* data) { return Load<uint32_t>(data); }
uint16_t LoadUInt16(const char* data) { return Load<uint16_t>(data); }

}  // namespace orrery::sql::direct
