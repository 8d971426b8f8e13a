// A script as clients see it: its definition, and `_rid`, `_self`, `_etag`, `_ts`.
//
// Pure.
#pragma once

#include <string>
#include <string_view>

#include "api/sql/script/definition/script_set.h"
#include "base/ids.h"
#include "gateway/catalog/catalog_entries.h"

namespace orrery::sql {

// "sprocs", "triggers", "udfs": as in paths.
std::string_view SegmentOf(ScriptKind kind);
// "StoredProcedures", "Triggers", "UserDefinedFunctions": what a feed calls its list.
std::string_view FeedNameOf(ScriptKind kind);

std::string ScriptRid(const gateway::ContainerEntry& container, const StoredScript& script);
// With its quotes; ParseEtag (document/etag.h) reads a client's, whose LSN is then the version.
std::string ScriptEtag(const StoredScript& script);

// Behind `out`, as JSON.
void AppendScriptJson(std::string& out, const gateway::ContainerEntry& container,
                      const StoredScript& script);
// {"_rid":..,"Triggers":[..],"_count":n}: all of a kind.
std::string ScriptFeedJson(const gateway::ContainerEntry& container, ScriptKind kind,
                           const ScriptSet& scripts);

}  // namespace orrery::sql
