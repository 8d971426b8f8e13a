// The arguments of find.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "api/mongo/command/command_context.h"
#include "api/mongo/command/cursor_reply.h"
#include "api/mongo/executor/read/find.h"

namespace orrery::mongo {

struct FindArguments {
  Namespace name;
  FindRequest request;  // without a collection: there is none of that name
  BatchOptions batch;
  // Of a view: the stages that do the same over the collection below it.
  std::optional<std::vector<model::Document>> view_pipeline = {};
  Namespace read_name = {};  // the collection that the view is over
  bool is_tailable = false;  // of a capped collection, where there is one
  bool awaits_data = false;
};

// Reads `body`, which is a find command's or that of explain.
Answer<FindArguments> ReadFind(const CommandContext& context, model::DocumentView body,
                               const Namespace& name);

}  // namespace orrery::mongo
