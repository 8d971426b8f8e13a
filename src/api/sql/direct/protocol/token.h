// Tokens are the headers of RNTBD, the protocol of Direct mode: a number, a type and a value each,
// one behind the other to the end of the frame's head. All integers are little-endian.
//
//   token        := id:uint16 type:uint8 value
//   value        := uint8 | uint16 | uint32 | int32 | uint64 | int64          types 0 to 5
//                 | guid                                                      type 6, 16 bytes
//                 | size:uint8 byte*size | size:uint16 .. | size:uint32 ..    types 7 to 9, text
//                 | the same three forms for bytes                            types 10 to 12
//                 | float32 | float64                                         types 13 and 14
//
// A reader that does not know an id can skip the token by its type. docs/format/rntbd.md has a
// worked example. Pure functions of foreign bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace orrery::sql::direct {

enum class TokenType : uint8_t {
  kByte = 0,
  kUInt16 = 1,
  kUInt32 = 2,
  kInt32 = 3,
  kUInt64 = 4,
  kInt64 = 5,
  kGuid = 6,
  kSmallText = 7,
  kText = 8,
  kLargeText = 9,
  kSmallBytes = 10,
  kBytes = 11,
  kLargeBytes = 12,
  kFloat = 13,
  kDouble = 14,
};

struct Token {
  uint16_t id = 0;
  TokenType type = TokenType::kByte;
  std::string_view value;  // without the size of text and bytes

  // Of any type of integer; nullopt for other types. Values of uint64 above the highest int64 are
  // negative.
  std::optional<int64_t> AsInteger() const;
  // Of text and bytes; nullopt for other types.
  std::optional<std::string_view> AsText() const;
};

// Reads one token after the other.
class TokenReader {
 public:
  explicit TokenReader(std::string_view tokens) : rest_(tokens) {}

  // Returns nullopt at the end, and where the bytes are no token: malformed() tells which.
  std::optional<Token> Next();
  bool malformed() const { return malformed_; }

 private:
  std::string_view rest_;
  bool malformed_ = false;
};

// The longest value of kSmallText, and of kText.
inline constexpr size_t kSmallTextBytesMax = 255;
inline constexpr size_t kTextBytesMax = 65'535;

void AppendByteToken(std::string& out, uint16_t id, uint8_t value);
void AppendUInt32Token(std::string& out, uint16_t id, uint32_t value);
void AppendInt64Token(std::string& out, uint16_t id, int64_t value);
void AppendDoubleToken(std::string& out, uint16_t id, double value);
// REQUIRES: at most kSmallTextBytesMax bytes.
void AppendSmallTextToken(std::string& out, uint16_t id, std::string_view value);
// REQUIRES: at most kTextBytesMax bytes.
void AppendTextToken(std::string& out, uint16_t id, std::string_view value);

// Integers of the frames themselves.
void AppendUInt32(std::string& out, uint32_t value);
void AppendUInt16(std::string& out, uint16_t value);
// REQUIRES: at least so many bytes at `data`.
uint32_t LoadUInt32(const char* data);
uint16_t LoadUInt16(const char* data);

}  // namespace orrery::sql::direct
