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

std::optional<int64_t> IntegerAt(const Value* object, std::string_view name) {
  const Value* value = object == nullptr ? nullptr : object->Find(name);
  if (value == nullptr || (value->kind() != Kind::kInt32 && value->kind() != Kind::kInt64))
    return std::nullopt;
  return value->AsInteger();
}

std::optional<GrantedBy> GrantedByFrom(const Value* json) {
  const Value* database = json == nullptr ? nullptr : json->Find("database");
  const auto database_id = IntegerAt(json, "databaseId");
  const auto user = IntegerAt(json, "user");
  const auto permission = IntegerAt(json, "permission");
  const auto time = IntegerAt(json, "time");
  if (database == nullptr || database->kind() != Kind::kString || !database_id || !user ||
      !permission || !time)
    return std::nullopt;
  return GrantedBy{.database = database->AsString(),
                   .database_id = DatabaseId(static_cast<uint32_t>(*database_id)),
                   .user = static_cast<uint32_t>(*user),
                   .permission = static_cast<uint64_t>(*permission),
                   .time_s = *time};
}

}  // namespace

std::string MintToken(const gateway::Accounts& accounts, const Grant& grant) {
  Value json = Value::Object({{"resource", Value::String(grant.resource)},
                              {"all", Value::Bool(grant.all)},
                              {"until", Value::Int64(grant.until_s)}});
  if (grant.key.has_value()) json.MutableFields().push_back({"key", *grant.key});
  json.MutableFields().push_back(
      {"by", Value::Object({{"database", Value::String(grant.by.database)},
                            {"databaseId", Value::Int64(grant.by.database_id.value())},
                            {"user", Value::Int64(grant.by.user)},
                            {"permission", Value::Int64(static_cast<int64_t>(grant.by.permission))},
                            {"time", Value::Int64(grant.by.time_s)}})});
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
  const auto until = IntegerAt(&json, "until");
  const auto by = GrantedByFrom(json.Find("by"));
  if (resource == nullptr || resource->kind() != Kind::kString || all == nullptr ||
      all->kind() != Kind::kBool || !until.has_value() || !by.has_value()) {
    return NotOurs();
  }
  Grant grant{.resource = resource->AsString(),
              .all = all->AsBool(),
              .until_s = *until,
              .key = std::nullopt,
              .by = *by};
  if (const Value* key = json.Find("key"); key != nullptr) grant.key = *key;
  if (std::chrono::seconds(grant.until_s) <= now) {
    return Fail(Code::kForbidden,
                "the resource token has ended: read the permission for a new one");
  }
  return grant;
}

}  // namespace orrery::sql
