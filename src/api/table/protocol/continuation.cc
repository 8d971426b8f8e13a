#include "api/table/protocol/continuation.h"

#include <fmt/format.h>

#include "gateway/account/base64.h"

namespace orrery::table {
namespace {

constexpr std::string_view kPlain = "1!";
constexpr std::string_view kScan = "2!";

}  // namespace

std::string EncodeToken(std::string_view text, bool is_scan) {
  const std::string encoded = gateway::ToBase64Url(text);
  return fmt::format("{}{}!{}", is_scan ? kScan : kPlain, encoded.size(), encoded);
}

Outcome<std::string> DecodeToken(std::string_view token) {
  const auto bad = [] {
    return Refuse(ErrorCode::kInvalidInput,
                  "One of the request inputs is not valid: the continuation token is malformed.");
  };
  if (!token.starts_with(kPlain) && !token.starts_with(kScan)) return bad();
  const size_t mark = token.find('!', kPlain.size());
  if (mark == std::string_view::npos) return bad();
  const std::string_view encoded = token.substr(mark + 1);
  std::string text;
  if (token.substr(kPlain.size(), mark - kPlain.size()) != fmt::to_string(encoded.size()) ||
      !gateway::FromBase64Url(encoded, text))
    return bad();
  return text;
}

Outcome<EntityPosition> DecodeEntityPosition(std::string_view partition_key,
                                             std::string_view row_key) {
  EntityPosition position{.is_scan = partition_key.starts_with(kScan)};
  TABLE_ASSIGN(position.partition_key, DecodeToken(partition_key));
  if (row_key.empty()) return position;
  TABLE_ASSIGN(position.row_key, DecodeToken(row_key));
  return position;
}

}  // namespace orrery::table
