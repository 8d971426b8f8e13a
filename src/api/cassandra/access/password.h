// Passwords as Cassandra stores them: bcrypt, "$2a$10$" and 53 characters of salt and hash.
//
// Thread-safe.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace orrery::cassandra {

// 2 to this power rounds. Cassandra's default; a tenth of a second or so.
inline constexpr int kPasswordRoundsDefault = 10;
inline constexpr int kPasswordRoundsMin = 4;
// Hashes that others made may not cost more than about a second to check.
inline constexpr int kPasswordRoundsMax = 14;

// A salted hash, different each time. kInvalidArgument for a password with a NUL, which bcrypt
// would take for its end. Like Cassandra's, it looks at the first 72 bytes only. REQUIRES: rounds
// between the two above.
Result<std::string> HashPassword(std::string_view password, int rounds = kPasswordRoundsDefault);

// Returns whether the text is a hash that can be checked: bcrypt, with no more rounds than allowed.
bool IsPasswordHash(std::string_view text);

// Takes as long for a wrong password as for the right one; false for what is no hash.
bool PasswordMatches(std::string_view password, const std::string& salted_hash);

}  // namespace orrery::cassandra
