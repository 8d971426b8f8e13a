// Arguments that commands which read have in common: namespaces and views, contexts, hints,
// filters.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/mongo/command/command_context.h"
#include "api/mongo/command/fields.h"
#include "api/mongo/executor/read/collection_scan.h"
#include "api/mongo/executor/script/script_calls.h"
#include "api/mongo/language/query_context.h"

namespace orrery::mongo {

// The context of a command, by its collation (or the collection's), `let` and the time.
Answer<QueryContextPtr> ContextOf(const CommandContext& context, const Fields& fields,
                                  const Collection* collection);
// The same of a command on what may be a view, which has a collation of its own.
// kOptionNotSupportedOnView if the command asks for another one.
Answer<QueryContextPtr> ContextOf(const CommandContext& context, const Fields& fields,
                                  const ResolvedName& resolved, const Collection* collection);

// The JavaScript functions of a command; null where the server runs none.
std::shared_ptr<ScriptCalls> ScriptsOf(const CommandContext& context);

// The index that `hint` names, by name or by key. kBadValue when there is none.
Answer<IndexHint> HintOf(const model::DocumentView& arguments, const Collection* collection);

// A filter, null for one that every document matches.
Answer<MatcherPtr> FilterOf(std::optional<model::DocumentView> filter,
                            const QueryContextPtr& context);

}  // namespace orrery::mongo
