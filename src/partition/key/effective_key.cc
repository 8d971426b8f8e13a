#include "partition/key/effective_key.h"

#include <fmt/core.h>

#include <bit>
#include <cmath>
#include <limits>
#include <string_view>

#include "base/murmur3.h"
#include "model/key/key_codec.h"
#include "model/number/number.h"

namespace orrery::partition {
namespace {

using model::Kind;
using model::Value;

constexpr char kUndefinedPrefix = 0x00;
constexpr char kNullPrefix = 0x01;
constexpr char kFalsePrefix = 0x02;
constexpr char kTruePrefix = 0x03;
constexpr char kNumberPrefix = 0x05;
constexpr char kStringPrefix = 0x08;
constexpr char kOtherPrefix = static_cast<char>(0xfe);

constexpr size_t kShortStringUnits = 100;
constexpr uint64_t kUsedBits = 0x3fffffffffffffff;

bool IsText(Kind kind) {
  return kind == Kind::kString || kind == Kind::kAscii || kind == Kind::kSymbol;
}

double Canonical(double number) {
  if (number == 0) return 0;
  if (std::isnan(number)) return std::numeric_limits<double>::quiet_NaN();
  return number;
}

void AppendDouble(std::string& out, double number) {
  const auto bits = std::bit_cast<uint64_t>(Canonical(number));
  AppendBigEndian(out, std::byteswap(bits));
}

// Appends undefined, null, booleans and numbers, whose hashed form V1 and V2 share. False for
// anything else.
bool AppendSimple(std::string& out, const Value& value) {
  switch (value.kind()) {
    case Kind::kUndefined:
      out.push_back(kUndefinedPrefix);
      return true;
    case Kind::kNull:
      out.push_back(kNullPrefix);
      return true;
    case Kind::kBool:
      out.push_back(value.AsBool() ? kTruePrefix : kFalsePrefix);
      return true;
    default:
      if (!value.is_number()) return false;
      out.push_back(kNumberPrefix);
      AppendDouble(out, model::ToDouble(value));
      return true;
  }
}

// The first kShortStringUnits UTF-16 units of UTF-8 text. Where the cut parts a surrogate pair,
// clients encode the half that is left as U+FFFD.
std::string CutToShort(std::string_view text) {
  size_t units = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<uint8_t>(text[i]);
    const bool starts_character = (byte & 0xc0) != 0x80;
    if (!starts_character) continue;
    if (units == kShortStringUnits) return std::string(text.substr(0, i));
    units += byte >= 0xf0 ? 2 : 1;
    if (units > kShortStringUnits) return std::string(text.substr(0, i)) + "\xef\xbf\xbd";
  }
  return std::string(text);
}

}  // namespace

Hash128 HashV2(std::span<const Value> key) {
  std::string input;
  for (const Value& value : key) {
    if (AppendSimple(input, value)) continue;
    if (IsText(value.kind())) {
      input.push_back(kStringPrefix);
      input.append(value.AsString());
      input.push_back(static_cast<char>(0xff));
    } else {
      input.push_back(kOtherPrefix);
      model::AppendKey(input, value, model::Order::kMongo);
    }
  }
  const Hash128 hash = Murmur3(input);
  return {hash.low & kUsedBits, hash.high};
}

Result<ShortHashedKey> HashV1(const Value& key) {
  ShortHashedKey result;
  std::string input;
  if (IsText(key.kind())) {
    const std::string text = CutToShort(key.AsString());
    input.push_back(kStringPrefix);
    input.append(text);
    input.push_back('\0');
    result.value.push_back(kStringPrefix);
    for (const char c : text) {
      const auto byte = static_cast<uint8_t>(c);
      result.value.push_back(static_cast<char>(byte == 0xff ? byte : byte + 1));
    }
    result.value.push_back('\0');
  } else if (AppendSimple(input, key)) {
    if (key.is_number()) {
      AppendEpkNumber(result.value, model::ToDouble(key));
    } else {
      result.value = input;
    }
  } else {
    return Fail(Code::kInvalidArgument,
                fmt::format("a {} cannot be the key of a container with version 1 hashing; use a "
                            "string, number, boolean or null",
                            model::KindName(key.kind())));
  }
  result.hash = Murmur3Short(input);
  return result;
}

void AppendEpkNumber(std::string& out, double number) {
  constexpr uint64_t kSignBit = uint64_t{1} << 63;
  auto bits = std::bit_cast<uint64_t>(Canonical(number));
  bits = bits < kSignBit ? bits ^ kSignBit : ~bits + 1;
  out.push_back(kNumberPrefix);
  out.push_back(static_cast<char>(bits >> 56));
  bits <<= 8;
  do {
    const auto group = static_cast<uint8_t>(bits >> 56 & 0xfe);
    bits <<= 7;
    out.push_back(static_cast<char>(bits == 0 ? group : group | 1));
  } while (bits != 0);
}

}  // namespace orrery::partition
