#include "api/table/protocol/address.h"

#include <algorithm>
#include <optional>

#include "net/http/http_message.h"

namespace orrery::table {
namespace {

constexpr std::string_view kSecondary = "-secondary";
constexpr std::string_view kPartitionKey = "PartitionKey=";
constexpr std::string_view kRowKey = "RowKey=";
constexpr size_t kNameMin = 3;
constexpr size_t kNameMax = 63;

std::unexpected<ErrorResponse> BadAddress() { return Refuse(ErrorCode::kInvalidUri); }

// Takes a text in quotes, in which quotes are doubled, off `rest`.
std::optional<std::string> TakeQuoted(std::string_view& rest) {
  if (!rest.starts_with('\'')) return std::nullopt;
  std::string text;
  for (size_t i = 1; i < rest.size(); ++i) {
    if (rest[i] != '\'') {
      text += rest[i];
    } else if (i + 1 < rest.size() && rest[i + 1] == '\'') {
      text += rest[i++];
    } else {
      rest.remove_prefix(i + 1);
      return text;
    }
  }
  return std::nullopt;
}

// The keys between the parentheses, in either order.
bool ReadKeys(std::string_view rest, Address& address) {
  bool has_partition_key = false;
  bool has_row_key = false;
  while (!rest.empty()) {
    const bool is_partition_key = rest.starts_with(kPartitionKey);
    if (!is_partition_key && !rest.starts_with(kRowKey)) return false;
    rest.remove_prefix(is_partition_key ? kPartitionKey.size() : kRowKey.size());
    auto key = TakeQuoted(rest);
    bool& has = is_partition_key ? has_partition_key : has_row_key;
    if (!key.has_value() || has) return false;
    has = true;
    (is_partition_key ? address.partition_key : address.row_key) = *std::move(key);
    if (rest.empty()) break;
    if (!rest.starts_with(',')) return false;
    rest.remove_prefix(1);
    while (rest.starts_with(' ')) rest.remove_prefix(1);
    if (rest.empty()) return false;
  }
  return has_partition_key && has_row_key;
}

// Of a client that did not double the quotes within a key: the last place that can be between them.
bool ReadUnquotedKeys(std::string_view rest, Address& address) {
  constexpr std::string_view kBetween = "',RowKey='";
  const size_t between = rest.rfind(kBetween);
  if (!rest.starts_with("PartitionKey='") || !rest.ends_with('\'') ||
      between == std::string_view::npos || between + kBetween.size() > rest.size() - 1)
    return false;
  const size_t begin = kPartitionKey.size() + 1;
  if (between < begin) return false;
  address.partition_key = rest.substr(begin, between - begin);
  rest.remove_prefix(between + kBetween.size());
  address.row_key = rest.substr(0, rest.size() - 1);
  return true;
}

Outcome<void> ReadResource(std::string_view segment, Address& address) {
  if (segment == "$batch") {
    address.kind = ResourceKind::kBatch;
    return {};
  }
  const size_t open = segment.find('(');
  address.table = segment.substr(0, open);
  std::string_view inside;
  if (open != std::string_view::npos) {
    if (!segment.ends_with(')')) return BadAddress();
    inside = segment.substr(open + 1, segment.size() - open - 2);
  }
  if (net::EqualsIgnoringCase(address.table, "Tables")) {
    address.kind = inside.empty() ? ResourceKind::kTables : ResourceKind::kOneTable;
    address.table.clear();
    if (inside.empty()) return {};
    auto name = TakeQuoted(inside);
    if (!name.has_value() || !inside.empty()) return BadAddress();
    address.table = *std::move(name);
    return {};
  }
  address.kind = inside.empty() ? ResourceKind::kEntities : ResourceKind::kEntity;
  if (inside.empty() || ReadKeys(inside, address) || ReadUnquotedKeys(inside, address)) return {};
  return BadAddress();
}

}  // namespace

Outcome<Address> ReadAddress(std::span<const std::string> segments,
                             std::span<const std::string> accounts) {
  while (!segments.empty() && segments.front().empty()) segments = segments.subspan(1);
  Address address;
  if (segments.empty()) return address;
  std::string_view first = segments.front();
  const bool is_secondary = first.ends_with(kSecondary);
  if (is_secondary) first.remove_suffix(kSecondary.size());
  if (std::ranges::find(accounts, first) != accounts.end()) {
    address.account = first;
    address.is_secondary = is_secondary;
    segments = segments.subspan(1);
  }
  while (!segments.empty() && segments.front().empty()) segments = segments.subspan(1);
  if (segments.empty()) return address;
  if (segments.size() > 1) return BadAddress();
  TABLE_TRY(ReadResource(segments.front(), address));
  return address;
}

Outcome<void> CheckTableName(std::string_view name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const bool is_plain =
      !name.empty() && is_letter(name.front()) &&
      std::ranges::all_of(name, [&](char c) { return is_letter(c) || is_digit(c); });
  if (!is_plain || net::EqualsIgnoringCase(name, "tables"))
    return Refuse(ErrorCode::kInvalidResourceName);
  if (name.size() < kNameMin || name.size() > kNameMax) {
    return Refuse(ErrorCode::kOutOfRangeInput,
                  "The specified resource name length is not within the permissible limits.");
  }
  return {};
}

}  // namespace orrery::table
