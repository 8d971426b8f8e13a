// Resource tokens: what the bearer may do with one resource, for a while.
//
//   token   := "type=resource&ver=1&sig=" signature ";" base64(grant) ";"
//   grant   := {"resource","all","until","key"?,"by"}                      as JSON
//   by      := {"database","databaseId","user","permission","time"}
//   signature := base64( HMAC-SHA256( account key, "resource token\n" grant ) )
//
// Nothing is stored for one: it is good until it ends, the account key it was signed with is
// changed, or the permission it was made by is changed or deleted, which is for others to look up
// (user_lists.h). Pure; the account's keys come in.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/ids.h"
#include "base/status.h"
#include "gateway/account/accounts.h"
#include "model/value.h"

namespace orrery::sql {

inline constexpr int64_t kTokenLifetimeDefault = 60 * 60;  // seconds

// The permission that a token was made by: the user's and its own number (user_list.h), and when
// it was last changed.
struct GrantedBy {
  std::string database;
  DatabaseId database_id;
  uint32_t user = 0;
  uint64_t permission = 0;
  int64_t time_s = 0;

  friend bool operator==(const GrantedBy&, const GrantedBy&) = default;
};

struct Grant {
  std::string resource;             // a link by names or rids, without slashes around it
  bool all = false;                 // may write as well as read
  int64_t until_s = 0;              // since 1970
  std::optional<model::Value> key;  // an array: only this partition key
  GrantedBy by = {};

  friend bool operator==(const Grant&, const Grant&) = default;
};

std::string MintToken(const gateway::Accounts& accounts, const Grant& grant);

// From what follows "sig=". kUnauthorized when it was not signed by this account; kForbidden when
// it has ended.
Result<Grant> CheckToken(const gateway::Accounts& accounts, std::string_view signature, Micros now);

}  // namespace orrery::sql
