#include "api/sql/document/etag.h"

#include <fmt/format.h>

#include <cstdint>

#include "api/sql/resource/lower_case.h"

namespace orrery::sql {
namespace {

std::string Unquoted(uint64_t lsn) {
  return fmt::format("{:08x}-{:04x}-{:04x}-0000-000000000000", lsn & 0xffff'ffff,
                     (lsn >> 32) & 0xffff, lsn >> 48);
}

std::optional<uint64_t> ParseHex(std::string_view digits) {
  uint64_t number = 0;
  for (const char c : digits) {
    if (c >= '0' && c <= '9')
      number = number << 4 | static_cast<uint64_t>(c - '0');
    else if (c >= 'a' && c <= 'f')
      number = number << 4 | static_cast<uint64_t>(c - 'a' + 10);
    else
      return std::nullopt;
  }
  return number;
}

}  // namespace

std::string FormatEtag(Lsn lsn) { return '"' + Unquoted(lsn.value()) + '"'; }

std::optional<Lsn> ParseEtag(std::string_view text) {
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"')
    text = text.substr(1, text.size() - 2);
  const std::string lower = LowerCase(text);
  if (lower.size() != 36) return std::nullopt;
  const std::string_view digits = lower;
  const auto low = ParseHex(digits.substr(0, 8));
  const auto middle = ParseHex(digits.substr(9, 4));
  const auto high = ParseHex(digits.substr(14, 4));
  if (!low.has_value() || !middle.has_value() || !high.has_value()) return std::nullopt;
  const uint64_t lsn = *high << 48 | *middle << 32 | *low;
  if (Unquoted(lsn) != lower) return std::nullopt;
  return Lsn(lsn);
}

}  // namespace orrery::sql
