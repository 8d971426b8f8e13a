// Etags of documents: the position at which a version was written, in the form that clients know.
//
//   etag := '"' low:8 hex '-' middle:4 hex '-' high:4 hex "-0000-000000000000" '"'    of the LSN
//
// An item's LSN rises with each of its versions, also across splits and merges.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/ids.h"

namespace orrery::sql {

// With its quotes.
std::string FormatEtag(Lsn lsn);
// With or without quotes, in any case of letters. nullopt for what is no etag of ours: it matches
// nothing.
std::optional<Lsn> ParseEtag(std::string_view text);

}  // namespace orrery::sql
