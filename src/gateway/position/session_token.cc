#include "gateway/position/session_token.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

namespace orrery::gateway {
namespace {

template <typename T>
bool ParseNumber(std::string_view text, T& number) {
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && at == end;
}

bool ParsePosition(std::string_view text, SessionPosition& position) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return false;
  uint64_t partition = 0;
  if (!ParseNumber(text.substr(0, colon), partition)) return false;
  text.remove_prefix(colon + 1);

  if (const size_t hash = text.find('#'); hash != std::string_view::npos) {
    int64_t version = 0;
    if (!ParseNumber(text.substr(0, hash), version)) return false;
    text.remove_prefix(hash + 1);
  }

  uint64_t lsn = 0;
  if (!ParseNumber(text.substr(0, text.find('#')), lsn)) return false;
  position = {PartitionId(partition), Lsn(lsn)};
  return true;
}

}  // namespace

void AppendSessionPosition(std::string& token, SessionPosition position) {
  fmt::format_to(std::back_inserter(token), "{}{}:-1#{}", token.empty() ? "" : ",",
                 position.partition.value(), position.lsn.value());
}

std::string WithoutVersions(std::string_view token) {
  std::string simple;
  const auto positions = ParseSessionToken(token);
  if (!positions.has_value()) return simple;
  for (const SessionPosition& position : *positions) {
    fmt::format_to(std::back_inserter(simple), "{}{}:{}", simple.empty() ? "" : ",",
                   position.partition.value(), position.lsn.value());
  }
  return simple;
}

std::string_view FirstPosition(std::string_view token) { return token.substr(0, token.find(',')); }

Result<std::vector<SessionPosition>> ParseSessionToken(std::string_view token) {
  std::vector<SessionPosition> positions;
  if (token.empty()) return positions;
  for (bool more = true; more;) {
    const size_t comma = token.find(',');
    more = comma != std::string_view::npos;
    SessionPosition position;
    if (!ParsePosition(token.substr(0, comma), position)) {
      return Fail(Code::kInvalidArgument,
                  "the session token is malformed: send back what an earlier response gave, for "
                  "example '0:-1#12'");
    }
    if (positions.size() == kSessionPositionsMax) {
      return Fail(
          Code::kInvalidArgument,
          fmt::format("the session token names more than {} partitions", kSessionPositionsMax));
    }
    positions.push_back(position);
    if (more) token.remove_prefix(comma + 1);
  }
  return positions;
}

Lsn RequiredPosition(std::span<const SessionPosition> positions, PartitionId partition,
                     std::span<const PartitionId> ancestors) {
  Lsn required;
  for (const SessionPosition& position : positions) {
    if (position.lsn <= required) continue;
    if (position.partition == partition ||
        std::ranges::find(ancestors, position.partition) != ancestors.end()) {
      required = position.lsn;
    }
  }
  return required;
}

}  // namespace orrery::gateway
