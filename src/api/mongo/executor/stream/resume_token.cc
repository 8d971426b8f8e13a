#include "api/mongo/executor/stream/resume_token.h"

#include <fmt/format.h>

#include "api/mongo/language/value/print.h"
#include "base/bytes.h"
#include "base/cluster_clock.h"
#include "model/document/document_builder.h"

namespace orrery::mongo {
namespace {

constexpr uint8_t kTokenTimestamp = 0x82;
constexpr uint8_t kTokenZero = 0x29;
constexpr uint8_t kTokenInteger = 0x2B;  // of one byte; 0x2E: of four
constexpr uint8_t kTokenBinary = 0x5A;
constexpr uint8_t kTokenFalse = 0x6E;
constexpr uint8_t kTokenTrue = 0x6F;
constexpr uint8_t kTokenEnd = 0x04;
constexpr uint8_t kTokenUuid = 4;  // a subtype of binary
constexpr uint8_t kTokenLongBinary = 0xFF;
constexpr size_t kTokenUuidBytes = 16;
constexpr uint32_t kTokenVersion = 1;
constexpr uint32_t kTokenOfEvent = 128;
constexpr size_t kTokenTextMax = 64 << 10;

void AppendByte(std::string& out, uint8_t byte) { out.push_back(static_cast<char>(byte)); }

void AppendTokenInteger(std::string& out, uint32_t number) {
  if (number == 0) return AppendByte(out, kTokenZero);
  const uint64_t doubled = uint64_t{number} << 1;
  int bytes = 1;
  while (bytes < 5 && doubled >> (8 * bytes) != 0) ++bytes;
  AppendByte(out, static_cast<uint8_t>(kTokenInteger + bytes - 1));
  for (int i = bytes - 1; i >= 0; --i) AppendByte(out, static_cast<uint8_t>(doubled >> (8 * i)));
}

void AppendBinary(std::string& out, uint8_t subtype, std::string_view bytes) {
  AppendByte(out, kTokenBinary);
  if (bytes.size() < kTokenLongBinary) {
    AppendByte(out, static_cast<uint8_t>(bytes.size()));
  } else {
    AppendByte(out, kTokenLongBinary);
    AppendBigEndian(out, static_cast<uint32_t>(bytes.size()));
  }
  AppendByte(out, subtype);
  out += bytes;
}

// Reads the bytes of a token; once it has failed every read gives nothing.
class TokenReader {
 public:
  explicit TokenReader(std::string_view bytes) : bytes_(bytes) {}

  std::string_view Take(size_t count) {
    if (failure_.has_value() || bytes_.size() < count) {
      if (!failure_.has_value()) {
        failure_ =
            MongoError{static_cast<int32_t>(ErrorCode::kOverflow),
                       fmt::format("Invalid advance ({}) past end of buffer[{}] at offset: 0",
                                   count, bytes_.size())};
      }
      return {};
    }
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }
  uint8_t Byte() {
    const std::string_view byte = Take(1);
    return byte.empty() ? 0 : static_cast<uint8_t>(byte.front());
  }
  uint64_t BigEndian(size_t count) {
    uint64_t value = 0;
    for (const char byte : Take(count)) value = value << 8 | static_cast<uint8_t>(byte);
    return value;
  }
  uint32_t Integer() {
    const uint8_t type = Byte();
    if (type == kTokenZero) return 0;
    if (type < kTokenInteger || type > kTokenInteger + 4) {
      Malformed();
      return 0;
    }
    const uint64_t doubled = BigEndian(size_t{type} - kTokenInteger + 1);
    if ((doubled & 1) != 0 || doubled >> 1 > UINT32_MAX) Malformed();
    return static_cast<uint32_t>(doubled >> 1);
  }
  std::string Binary(uint8_t subtype) {
    if (Byte() != kTokenBinary) Malformed();
    uint64_t length = Byte();
    if (length == kTokenLongBinary) length = BigEndian(4);
    if (Byte() != subtype) Malformed();
    return std::string(Take(length));
  }
  bool Flag() {
    const uint8_t flag = Byte();
    if (flag != kTokenFalse && flag != kTokenTrue) Malformed();
    return flag == kTokenTrue;
  }
  uint8_t Peek() const { return bytes_.empty() ? 0 : static_cast<uint8_t>(bytes_.front()); }
  bool empty() const { return bytes_.empty(); }
  void Malformed() {
    if (!failure_.has_value()) {
      failure_ = MongoError{static_cast<int32_t>(ErrorCode::kInvalidResumeToken),
                            "Corrupt resume token: it was not made by this server"};
    }
  }
  const std::optional<MongoError>& failure() const { return failure_; }

 private:
  std::string_view bytes_;
  std::optional<MongoError> failure_;
};

std::optional<uint8_t> DigitOf(char digit) {
  if (digit >= '0' && digit <= '9') return static_cast<uint8_t>(digit - '0');
  if (digit >= 'A' && digit <= 'F') return static_cast<uint8_t>(digit - 'A' + 10);
  if (digit >= 'a' && digit <= 'f') return static_cast<uint8_t>(digit - 'a' + 10);
  return std::nullopt;
}

}  // namespace

ResumeToken ResumeToken::HighWater(Micros seen_until) {
  ResumeToken token;
  token.timestamp = TimestampOf(seen_until + Micros(1));
  return token;
}

std::string ResumeToken::Encode() const {
  std::string bytes;
  AppendByte(bytes, kTokenTimestamp);
  AppendBigEndian(bytes, timestamp);
  AppendTokenInteger(bytes, kTokenVersion);
  AppendTokenInteger(bytes, is_event ? kTokenOfEvent : 0);
  AppendTokenInteger(bytes, number);
  AppendByte(bytes, is_invalidate ? kTokenTrue : kTokenFalse);
  if (!uuid.empty()) AppendBinary(bytes, kTokenUuid, uuid);
  if (!key.empty()) AppendBinary(bytes, 0, key);
  AppendByte(bytes, kTokenEnd);
  static constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const char byte : bytes) {
    text += kDigits[static_cast<uint8_t>(byte) >> 4];
    text += kDigits[static_cast<uint8_t>(byte) & 15];
  }
  return text;
}

model::Document TokenDocument(std::string_view text) {
  return std::move(model::DocumentBuilder().AppendString("_data", text)).Finish();
}

model::Document ResumeToken::ToDocument() const { return TokenDocument(Encode()); }

Answer<ResumeToken> ResumeToken::Decode(std::string_view text) {
  if (text.empty()) return Refuse(40649, "invalid empty resume token");
  std::string bytes;
  for (size_t i = 0; i < text.size(); i += 2) {
    const auto high = DigitOf(text[i]);
    const auto low = i + 1 < text.size() ? DigitOf(text[i + 1]) : std::nullopt;
    if (!high.has_value() || !low.has_value() || text.size() > kTokenTextMax)
      return Refuse(ErrorCode::kFailedToParse, "resume token string was not a valid hex string");
    bytes.push_back(static_cast<char>(*high << 4 | *low));
  }
  TokenReader reader(bytes);
  ResumeToken token;
  if (reader.Byte() != kTokenTimestamp) reader.Malformed();
  token.timestamp = reader.BigEndian(8);
  if (reader.Integer() != kTokenVersion) reader.Malformed();
  const uint32_t kind = reader.Integer();
  if (kind != 0 && kind != kTokenOfEvent) reader.Malformed();
  token.is_event = kind == kTokenOfEvent;
  token.number = reader.Integer();
  token.is_invalidate = reader.Flag();
  if (reader.Peek() == kTokenBinary) token.uuid = reader.Binary(kTokenUuid);
  if (!token.uuid.empty() && token.uuid.size() != kTokenUuidBytes) reader.Malformed();
  if (reader.Peek() == kTokenBinary) token.key = reader.Binary(0);
  if (reader.Byte() != kTokenEnd || !reader.empty()) reader.Malformed();
  if (reader.failure().has_value()) return std::unexpected(*reader.failure());
  return token;
}

Answer<ResumeToken> ResumeToken::Read(model::DocumentView token) {
  const auto data = token.Find("_data");
  if (!data.has_value() || data->kind() != model::Kind::kString) {
    return Refuse(40647,
                  fmt::format("Bad resume token: _data of missing or of wrong type. Expected "
                              "string, got {}",
                              PrintValue(token.ToObject())));
  }
  return Decode(data->AsString());
}

}  // namespace orrery::mongo
