// Runs aggregations: the pipeline of a command, of a view, or of both.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "api/mongo/command/command_context.h"
#include "api/mongo/command/cursor_reply.h"
#include "api/mongo/command/operation/server_rows.h"
#include "api/mongo/executor/aggregate/aggregate_access.h"
#include "api/mongo/executor/read/collection_scan.h"
#include "api/mongo/language/query_context.h"

namespace orrery::mongo {

struct AggregateArguments {
  Namespace name;       // that the client named; "$cmd.aggregate" as its collection: the database
  Namespace read_name;  // the collection to read; an empty one: none
  std::vector<model::Document> pipeline;
  QueryContextPtr query;
  BatchOptions batch = {};
  IndexHint hint = {};
  bool bypasses_validation = false;  // of what $out and $merge write
};

// Reads `body`, which is an aggregate command's or that of explain.
Answer<AggregateArguments> ReadAggregate(const CommandContext& context, model::DocumentView body);

// Returns what stages reach beyond their input, for a command on `database`.`collection`.
std::unique_ptr<AggregateAccess> MakeAggregateAccess(
    const CommandContext& context, const Namespace& name, bool validates,
    std::shared_ptr<RunState> state, ServerRows server_rows = std::nullopt,
    std::shared_ptr<const Collator> collator = nullptr);

// A pipeline that is ready to give rows. `kept` must outlive the rows.
struct OpenedAggregate {
  std::unique_ptr<RowSource> rows;
  std::shared_ptr<const void> kept;
  bool writes = false;  // ends in $out or $merge
};
Answer<OpenedAggregate> OpenAggregate(CommandContext& context, AggregateArguments arguments,
                                      const std::shared_ptr<RunState>& state);

CommandReply RunAggregate(CommandContext& context, AggregateArguments arguments);

}  // namespace orrery::mongo
