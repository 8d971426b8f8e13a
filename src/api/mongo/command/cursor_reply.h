// Replies with a cursor: the first batch of a query, and those that getMore reads.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "api/mongo/command/command_context.h"
#include "api/mongo/executor/cursor/cursor_run.h"

namespace orrery::mongo {

struct BatchOptions {
  std::optional<uint64_t> batch_size = {};  // not said: kFirstBatchRows
  bool single_batch = false;                // the cursor is closed after it
  bool no_timeout = false;
};

// {cursor: {firstBatch: [...], id, ns}}. Keeps the run as a cursor if rows may be left.
CommandReply FirstBatch(CommandContext& context, std::unique_ptr<CursorRun> run,
                        const BatchOptions& options);

// The same for rows that are known already: {cursor: {firstBatch, id: 0, ns}}.
class KnownRows final : public RowSource {
 public:
  explicit KnownRows(std::vector<model::Document> rows) : rows_(std::move(rows)) {}
  Answer<std::optional<Row>> Next() override {
    if (next_ == rows_.size()) return std::nullopt;
    return Row{.document = std::move(rows_[next_++])};
  }

 private:
  std::vector<model::Document> rows_;
  size_t next_ = 0;
};
CommandReply KnownBatch(CommandContext& context, std::string name,
                        std::vector<model::Document> rows);

// The owner of a command's cursors: its user and session.
// Appends the time of the snapshot that a command outside transactions reads, if it reads one.
void AppendAtClusterTime(model::DocumentBuilder& reply, const CommandContext& context);

std::string CursorOwner(const CommandContext& context);

}  // namespace orrery::mongo
