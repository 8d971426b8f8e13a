#include "api/sql/user/resource_token.h"

#include <chrono>
#include <utility>

#include "base/check.h"
#include "gateway/account/base64.h"
#include "gateway/account/hmac.h"
#include "model/document/json.h"

namespace orrery::sql {
namespace {

using model::Kind;
using model::Value;

// Keeps what is signed here apart from the texts of requests, which never begin so.
constexpr std::string_view kPurpose = "resource token\n";

std::unexpected<Error> NotOurs() {
  return Fail(Code::kUnauthorized,
              "the resource token is not one of this account: read the permission for a new one");
}

// Under the primary key: tokens that others made with another key of the account are taken, too.
std::string Sign(const gateway::Accounts& accounts, std::string_view text) {
  std::string secret;
  // The account was made with this key, so it is base64.
  ORRERY_CHECK(gateway::FromBase64(accounts.primary_key(), secret));
  return gateway::ToBase64(gateway::HmacSha256(secret, text));
}

}  // namespace

std::string MintToken(const gateway::Accounts& accounts, const Grant& grant) {
  Value json = Value::Object({{"resource", Value::String(grant.resource)},
                              {"all", Value::Bool(grant.all)},
                              {"until", Value::Int64(grant.until_s)}});
  if (grant.key.has_value()) json.MutableFields().push_back({"key", *grant.key});
  const std::string text = model::ToJson(json);
  return "type=resource&ver=1&sig=" + Sign(accounts, std::string(kPurpose) + text) + ";" +
         gateway::ToBase64(text) + ";";
}

Result<Grant> CheckToken(const gateway::Accounts& accounts, std::string_view signature,
                         Micros now) {
  const size_t end = signature.find(';');
  if (end == std::string_view::npos) return NotOurs();
  std::string_view encoded = signature.substr(end + 1);
  if (encoded.ends_with(';')) encoded.remove_suffix(1);
  std::string text;
  if (!gateway::FromBase64(encoded, text)) return NotOurs();
  if (!accounts.CheckSignature(std::string(kPurpose) + text, signature.substr(0, end)).has_value())
    return NotOurs();
  ORRERY_ASSIGN(const Value json, model::ValueFromJson(text));
  const Value* resource = json.Find("resource");
  const Value* all = json.Find("all");
  const Value* until = json.Find("until");
  if (resource == nullptr || resource->kind() != Kind::kString || all == nullptr ||
      all->kind() != Kind::kBool || until == nullptr ||
      (until->kind() != Kind::kInt32 && until->kind() != Kind::kInt64)) {
    return NotOurs();
  }
  Grant grant{.resource = resource->AsString(),
              .all = all->AsBool(),
              .until_s = until->AsInteger(),
              .key = std::nullopt};
  if (const Value* key = json.Find("key"); key != nullptr) grant.key = *key;
  if (std::chrono::seconds(grant.until_s) <= now) {
    return Fail(Code::kForbidden,
                "the resource token has ended: read the permission for a new one");
  }
  return grant;
}

}  // namespace orrery::sql
