#include "api/cassandra/types/native/timeuuid.h"

#include <fmt/format.h>

#include "base/bytes.h"

namespace orrery::cassandra {
namespace {

constexpr int64_t kEpochMs = -12'219'292'800'000;  // 1582-10-15 in Unix time
constexpr uint64_t kLowestNode = 0x8080808080808080;
constexpr uint64_t kHighestNode = 0x7f7f7f7f7f7f7f7f;
constexpr uint64_t kVariant = uint64_t{0b10} << 62;
constexpr uint64_t kVariantMask = uint64_t{0b11} << 62;

std::string FromTicks(uint64_t ticks, uint64_t node) {
  std::string bytes;
  AppendBigEndian(bytes, static_cast<uint32_t>(ticks));
  AppendBigEndian(bytes, static_cast<uint16_t>(ticks >> 32));
  AppendBigEndian(bytes, static_cast<uint16_t>(0x1000 | ((ticks >> 48) & 0x0fff)));
  AppendBigEndian(bytes, node);
  return bytes;
}

// Unsigned, so that times far out wrap as they do in Java.
uint64_t TicksOfMillis(int64_t unix_ms) {
  return (static_cast<uint64_t>(unix_ms) - static_cast<uint64_t>(kEpochMs)) * 10'000;
}

}  // namespace

Result<std::string> ParseUuid(std::string_view text) {
  std::string digits;
  std::string bytes;
  bool good = text.size() == 36;
  for (size_t i = 0; good && i < text.size(); ++i) {
    if (i == 8 || i == 13 || i == 18 || i == 23) {
      good = text[i] == '-';
    } else {
      digits.push_back(text[i]);
    }
  }
  if (!good || !FromHex(digits, bytes))
    return Fail(Code::kInvalidArgument, fmt::format("Unable to make UUID from '{}'", text));
  return bytes;
}

std::string UuidText(std::string_view bytes) {
  std::string text = ToHex(bytes);
  for (const size_t dash : {8, 13, 18, 23}) text.insert(dash, 1, '-');
  return text;
}

int UuidVersion(std::string_view bytes) { return static_cast<uint8_t>(bytes[6]) >> 4; }

std::string MakeTimeUuid(Micros unix_time, uint64_t node) {
  const auto micros =
      static_cast<uint64_t>(unix_time.count()) - static_cast<uint64_t>(kEpochMs) * 1'000;
  return FromTicks(micros * 10, (node & ~kVariantMask) | kVariant);
}

std::string MinTimeUuid(int64_t unix_ms) { return FromTicks(TicksOfMillis(unix_ms), kLowestNode); }

std::string MaxTimeUuid(int64_t unix_ms) {
  return FromTicks(TicksOfMillis(unix_ms) + 9'999, kHighestNode);
}

int64_t TimeUuidMillis(std::string_view bytes) {
  const uint64_t ticks = uint64_t{LoadBigEndian<uint32_t>(bytes.data())} |
                         uint64_t{LoadBigEndian<uint16_t>(bytes.data() + 4)} << 32 |
                         uint64_t{LoadBigEndian<uint16_t>(bytes.data() + 6) & 0x0fffU} << 48;
  // Rounds down, before 1970 too; ticks have 60 bits.
  return static_cast<int64_t>(ticks / 10'000) + kEpochMs;
}

std::string MakeRandomUuid(uint64_t high, uint64_t low) {
  std::string bytes;
  AppendBigEndian(bytes, (high & ~uint64_t{0xf000}) | 0x4000);
  AppendBigEndian(bytes, (low & ~kVariantMask) | kVariant);
  return bytes;
}

}  // namespace orrery::cassandra
