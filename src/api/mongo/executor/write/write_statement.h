// A WriteStatement is one element of an update or delete command, compiled: what must match, and
// what becomes of it.
//
// It is made of a document, which is what travels to a partition's owner:
//   {q: filter, u: update, arrayFilters: [..], collation: {..}, let: {..}, now: date}
//
// Immutable, so thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/mongo/error/mongo_error.h"
#include "api/mongo/language/match/matcher.h"
#include "api/mongo/language/query_context.h"
#include "api/mongo/language/update/update.h"
#include "model/document/document.h"

namespace orrery::mongo {

struct WriteStatement {
  std::optional<model::Document> source;  // nullopt: made of parts that cannot travel
  QueryContextPtr context;
  MatcherPtr filter;
  UpdatePtr update;  // null: a deletion
  // Says whether JavaScript runs in the filter or the update: they are not evaluated where nothing
  // may block.
  bool runs_scripts = false;

  // Makes a statement of parts that are parsed already. `let` has values.
  static std::shared_ptr<const WriteStatement> Of(MatcherPtr filter, UpdatePtr update,
                                                  const model::Value& update_source,
                                                  const model::Fields& let, int64_t now_unix_ms);
  // The errors are those of the language. `scripts` is null where JavaScript is not allowed.
  static Answer<std::shared_ptr<const WriteStatement>> Compile(
      model::Document source, std::shared_ptr<ScriptRunner> scripts = nullptr);
};
using WriteStatementPtr = std::shared_ptr<const WriteStatement>;

// A context of a command: its collation (may be empty: that of bytes), variables and time.
// `seed` begins its random numbers. `scripts` is null where JavaScript is not allowed, `spill`
// where rows may not go to files.
Answer<QueryContextPtr> MakeQueryContext(std::optional<model::DocumentView> collation,
                                         std::optional<model::DocumentView> let,
                                         int64_t now_unix_ms, uint64_t seed,
                                         std::shared_ptr<ScriptRunner> scripts = nullptr,
                                         query::SpillSpace* spill = nullptr);

}  // namespace orrery::mongo
