#include "script/spidermonkey/integer.h"

#include <js/BigInt.h>
#include <mozilla/Range.h>

#include <string>

#include "base/bytes.h"
#include "script/spidermonkey/text.h"

namespace orrery::script {
namespace {

constexpr int64_t kSafeIntegerMax = (int64_t{1} << 53) - 1;
constexpr int kHexadecimal = 16;

// Two's complement of big-endian bytes, in place.
void Negate(std::string& bytes) {
  bool carry = true;
  for (size_t i = bytes.size(); i-- > 0;) {
    const auto flipped = static_cast<uint8_t>(~bytes[i]);
    bytes[i] = static_cast<char>(flipped + (carry ? 1 : 0));
    carry = carry && flipped == 0xff;
  }
}

int64_t SmallVarint(std::string_view bytes) {
  int64_t number = (bytes.front() & 0x80) != 0 ? -1 : 0;
  for (const char byte : bytes) {
    number = static_cast<int64_t>(static_cast<uint64_t>(number) << 8 | static_cast<uint8_t>(byte));
  }
  return number;
}

}  // namespace

bool IntegerToScript(JSContext* cx, int64_t number, JS::MutableHandleValue out) {
  if (number >= -kSafeIntegerMax && number <= kSafeIntegerMax) {
    out.setNumber(static_cast<double>(number));
    return true;
  }
  JS::BigInt* big = JS::NumberToBigInt(cx, number);
  if (big == nullptr) return false;
  out.setBigInt(big);
  return true;
}

bool VarintToScript(JSContext* cx, std::string_view bytes, JS::MutableHandleValue out) {
  if (bytes.size() <= sizeof(int64_t)) return IntegerToScript(cx, SmallVarint(bytes), out);
  std::string magnitude(bytes);
  const bool negative = (bytes.front() & 0x80) != 0;
  if (negative) Negate(magnitude);
  const std::string digits = (negative ? "-" : "") + ToHex(magnitude);
  JS::BigInt* big = JS::SimpleStringToBigInt(
      cx, mozilla::Span<const char>(digits.data(), digits.size()), kHexadecimal);
  if (big == nullptr) return false;
  out.setBigInt(big);
  return true;
}

bool BigIntFromScript(JSContext* cx, JS::Handle<JS::BigInt*> number, model::Value& out) {
  int64_t small = 0;
  if (JS::BigIntFits(number.get(), &small)) {
    out = model::Value::Int64(small);
    return true;
  }
  JSString* text = JS::BigIntToString(cx, number, kHexadecimal);
  std::string digits;
  if (text == nullptr || !AppendUtf8(cx, text, digits)) return false;
  const bool negative = digits.front() == '-';
  if (negative) digits.erase(0, 1);
  // A sign byte, and an even number of digits.
  digits.insert(0, digits.size() % 2 == 0 ? "00" : "000");
  std::string bytes;
  if (!FromHex(digits, bytes)) return false;
  if (negative) Negate(bytes);
  out = model::Value::Varint(bytes);
  return true;
}

}  // namespace orrery::script
