// Replies of write commands: counts and writeErrors.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "api/mongo/command/command_context.h"
#include "api/mongo/executor/write/write_outcome.h"

namespace orrery::mongo {

// Gathers what the statements of one command have done.
struct WriteSummary {
  int64_t n = 0;
  int64_t modified = 0;
  struct Upserted {
    size_t index = 0;
    model::Value id;
  };
  std::vector<Upserted> upserted = {};
  struct Failed {
    size_t index = 0;
    MongoError error;
  };
  std::vector<Failed> failed = {};
  std::vector<int32_t> retried = {};  // numbers of statements that were done before
};

// {n, nModified?, upserted?, writeErrors?, retriedStmtIds?}. An error that
// concerns the session as a whole is that of the command.
CommandReply WriteReply(const CommandContext& context, const WriteSummary& summary,
                        bool with_modified);

// Returns whether an error of one statement is that of the whole command: it concerns the session,
// or what was done is remembered and the command may be sent again.
bool EndsCommand(const CommandContext& context, const MongoError& error);

// Appends retriedStmtIds if there are any.
void AppendRetried(model::DocumentBuilder& reply, const std::vector<int32_t>& retried);

// Appends a number as an int32 if it fits, as MongoDB counts.
void AppendCount(model::DocumentBuilder& reply, std::string_view name, int64_t count);

// Appends what stands beside an error's code: errInfo, keyPattern and keyValue.
void AppendDetails(model::DocumentBuilder& reply, const MongoError& error);

}  // namespace orrery::mongo
