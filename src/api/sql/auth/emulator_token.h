// Tokens of a directory as the emulators take them: a JSON web token whose last part, in place of
// a signature, is an account key. Test suites of clients that sign in with a directory make them.
//
//   token  := base64url(header) "." base64url(claims) "." base64url(account key, as its text)
//   header := {"kid": "CosmosEmulatorPrimaryMaster", ..}
//   claims := {"nbf": seconds, "exp": seconds, ..}
//
// Its bearer has the key, so it says no less than a signature. Tokens that a real directory signed
// have another `kid` and are never taken. Pure.
#pragma once

#include <string_view>

#include "base/clock.h"
#include "base/status.h"
#include "gateway/account/accounts.h"

namespace orrery::sql {

// Returns the access of the bearer. kUnauthorized for any other token, kForbidden for one that has
// ended or has not begun.
Result<gateway::Access> CheckEmulatorToken(const gateway::Accounts& accounts,
                                           std::string_view token, Micros now);

}  // namespace orrery::sql
