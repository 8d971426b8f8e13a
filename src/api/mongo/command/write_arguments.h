// The arguments of update, delete and findAndModify, as requests of the executor.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "api/mongo/command/command_context.h"
#include "api/mongo/command/fields.h"
#include "api/mongo/executor/write/collection_writer.h"

namespace orrery::mongo {

// The writer of a command. `context` must outlive it.
CollectionWriter WriterOf(const CommandContext& context, const std::shared_ptr<RunState>& state);

// kOperationNotSupportedInTransaction or kIllegalOperation for a capped collection in a
// transaction.
Outcome MayWriteInTransaction(const CommandContext& context, const Collection& collection,
                              bool removes);

// kInvalidLength unless there are 1 to 100,000.
Outcome CheckBatchSize(size_t operations);

// The arguments that all statements of a command share.
struct WriteOptions {
  bool is_ordered = true;
  bool validates = true;
  std::optional<model::DocumentView> let = {};
};
Answer<WriteOptions> ReadWriteOptions(const Fields& fields);

// Checks the fields of one element of `updates` or `deletes`, and their types. What is wrong with
// them is wrong with the command as a whole: nothing of it is done.
Outcome CheckUpdateShape(model::DocumentView statement);
Outcome CheckDeleteShape(model::DocumentView statement);

// One element of `updates` or `deletes`. Without a collection, as none is there yet: the request
// has none.
Answer<ChangeRequest> ReadUpdate(const CommandContext& context, const CollectionPtr& collection,
                                 model::DocumentView statement, const WriteOptions& options);
Answer<ChangeRequest> ReadDelete(const CommandContext& context, const CollectionPtr& collection,
                                 model::DocumentView statement, const WriteOptions& options);

struct FindAndModifyArguments {
  ChangeRequest change;
  bool removes = false;
  bool wants_new = false;
  ProjectionPtr projection = nullptr;
};
Answer<FindAndModifyArguments> ReadFindAndModify(const CommandContext& context,
                                                 const CollectionPtr& collection);

}  // namespace orrery::mongo
