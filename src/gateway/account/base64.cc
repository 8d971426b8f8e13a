#include "gateway/account/base64.h"

#include <array>
#include <cstdint>

namespace orrery::gateway {
namespace {

constexpr std::string_view kStandard =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kUrl =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr uint8_t kNoDigit = 0xff;

constexpr std::array<uint8_t, 256> DigitsOf(std::string_view alphabet) {
  std::array<uint8_t, 256> digits{};
  digits.fill(kNoDigit);
  for (size_t i = 0; i < alphabet.size(); ++i) {
    digits[static_cast<uint8_t>(alphabet[i])] = static_cast<uint8_t>(i);
  }
  return digits;
}
constexpr std::array<uint8_t, 256> kStandardDigits = DigitsOf(kStandard);
constexpr std::array<uint8_t, 256> kUrlDigits = DigitsOf(kUrl);

std::string Encode(std::string_view bytes, std::string_view alphabet, bool padded) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  uint32_t bits = 0;
  int count = 0;
  for (const char byte : bytes) {
    bits = (bits << 8) | static_cast<uint8_t>(byte);
    count += 8;
    while (count >= 6) {
      count -= 6;
      text.push_back(alphabet[(bits >> count) & 0x3f]);
    }
  }
  if (count > 0) text.push_back(alphabet[(bits << (6 - count)) & 0x3f]);
  while (padded && text.size() % 4 != 0) text.push_back('=');
  return text;
}

bool Decode(std::string_view text, const std::array<uint8_t, 256>& digits, std::string& bytes) {
  // One digit alone holds less than a byte.
  if (text.size() % 4 == 1) return false;
  bytes.clear();
  bytes.reserve(text.size() * 3 / 4);
  uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const uint8_t digit = digits[static_cast<uint8_t>(c)];
    if (digit == kNoDigit) return false;
    bits = (bits << 6) | digit;
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes.push_back(static_cast<char>(bits >> count));
    }
  }
  return (bits & ((1u << count) - 1)) == 0;
}

}  // namespace

std::string ToBase64(std::string_view bytes) { return Encode(bytes, kStandard, /*padded=*/true); }

bool FromBase64(std::string_view text, std::string& bytes) {
  if (text.size() % 4 != 0) return false;
  for (int i = 0; i < 2 && text.ends_with('='); ++i) text.remove_suffix(1);
  return Decode(text, kStandardDigits, bytes);
}

std::string ToBase64Url(std::string_view bytes) { return Encode(bytes, kUrl, /*padded=*/false); }

bool FromBase64Url(std::string_view text, std::string& bytes) {
  return Decode(text, kUrlDigits, bytes);
}

}  // namespace orrery::gateway
