// Reads the resources of an account of the SQL API: what its lists have, page by page.
//
// Not thread-safe.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "cli/seed/client/sql_client.h"
#include "model/value.h"

namespace orrery::cli {

// One page of a list; `continuation` empty: the first. Fills in that of the next; empty: it was the
// last. `field`: where the list is in the answer.
Result<model::Values> ReadAccountPage(SqlClient& client, const SqlClient::Path& path,
                                      std::string_view field, std::string& continuation);
// All pages.
Result<model::Values> ReadAccountList(SqlClient& client, const SqlClient::Path& path,
                                      std::string_view field);

// The fields of a resource that its writer gave it: without _rid, _self, _etag, _ts and the like.
model::Value WithoutSystemFields(const model::Value& resource);

}  // namespace orrery::cli
