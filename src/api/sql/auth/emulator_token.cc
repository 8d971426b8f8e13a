#include "api/sql/auth/emulator_token.h"

#include <algorithm>
#include <optional>
#include <string>

#include "api/sql/auth/authorization.h"
#include "gateway/account/base64.h"
#include "model/document/json.h"
#include "model/value.h"

namespace orrery::sql {
namespace {

using model::Kind;
using model::Value;

constexpr int kParts = 3;
constexpr std::string_view kKeyName = "CosmosEmulatorPrimaryMaster";

std::unexpected<Error> NotTaken() {
  return Fail(Code::kUnauthorized,
              "tokens of a directory are not known here, but for those of the emulators: sign with "
              "an account key");
}

// Cuts the next part off, without its encoding.
std::optional<std::string> TakePart(std::string_view& rest) {
  const size_t dot = rest.find('.');
  std::string bytes;
  if (!gateway::FromBase64Url(rest.substr(0, dot), bytes)) return std::nullopt;
  rest = dot == std::string_view::npos ? std::string_view() : rest.substr(dot + 1);
  return bytes;
}

std::optional<Micros> TimeAt(const Value& claims, std::string_view name) {
  const Value* value = claims.Find(name);
  if (value == nullptr || (value->kind() != Kind::kInt32 && value->kind() != Kind::kInt64))
    return std::nullopt;
  // Bounded, so that no number of seconds is too many microseconds.
  constexpr int64_t kSecondsMax = int64_t{1} << 40;
  const int64_t seconds = value->AsInteger();
  if (seconds < 0 || seconds > kSecondsMax) return std::nullopt;
  return Micros(std::chrono::seconds(seconds));
}

}  // namespace

Result<gateway::Access> CheckEmulatorToken(const gateway::Accounts& accounts,
                                           std::string_view token, Micros now) {
  if (std::ranges::count(token, '.') != kParts - 1) return NotTaken();
  const auto header_text = TakePart(token);
  const auto claims_text = TakePart(token);
  const auto key = TakePart(token);
  if (!header_text.has_value() || !claims_text.has_value() || !key.has_value()) return NotTaken();
  const auto header = model::ValueFromJson(*header_text);
  if (!header.has_value() || header->kind() != Kind::kObject) return NotTaken();
  const Value* name = header->Find("kid");
  if (name == nullptr || name->kind() != Kind::kString || name->AsString() != kKeyName)
    return NotTaken();
  const auto access = accounts.CheckKey(*key);
  if (!access.has_value()) return NotTaken();
  const auto claims = model::ValueFromJson(*claims_text);
  if (!claims.has_value() || claims->kind() != Kind::kObject) return NotTaken();
  const auto begin = TimeAt(*claims, "nbf");
  const auto end = TimeAt(*claims, "exp");
  if (!begin.has_value() || !end.has_value()) return NotTaken();
  if (now < *begin - kSignatureSkewMax || now >= *end) {
    return Fail(Code::kForbidden,
                "The authorization token is not valid at the current time. Please create another "
                "token and retry.");
  }
  return *access;
}

}  // namespace orrery::sql
