// Users as the catalog keeps them, in the `extra` of a database:
//   {mongo: {users: [{user, db, userId, roles: [{role, db}], customData,
//                     scram: [{salt, iterations, storedKey, serverKey}]}]}}
// `scram` has an entry for each mechanism, in the order of ScramMechanism; an empty one for none.
#pragma once

#include <optional>
#include <vector>

#include "api/mongo/access/user_directory.h"
#include "model/document/document.h"

namespace orrery::mongo {

// Malformed users are left out.
std::vector<UserRecord> ReadUsers(const std::optional<model::Document>& extra);
// `extra` with these users in the place of the former ones; everything else in it stays.
model::Document WithUsers(const std::optional<model::Document>& extra,
                          const std::vector<UserRecord>& users);

}  // namespace orrery::mongo
