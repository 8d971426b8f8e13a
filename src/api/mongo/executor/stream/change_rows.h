// The rows of a change stream: its events, through the stages that follow $changeStream.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "api/mongo/executor/cursor/tail.h"
#include "api/mongo/executor/stream/change_stream.h"
#include "api/mongo/language/pipeline/pipeline.h"
#include "api/mongo/language/row.h"

namespace orrery::mongo {

// Shared by the run, for its rows, and by whoever waits for them. Used by one thread at a time.
class ChangeRows final : public Tail {
 public:
  // `pipeline` is null if no stages follow.
  ChangeRows(std::unique_ptr<ChangeStream> stream, PipelinePtr pipeline)
      : stream_(std::move(stream)),
        pipeline_(std::move(pipeline)),
        position_(stream_->position()) {}

  // Returns the next row; nullopt if there is none now. kChangeStreamFatalError if the stages
  // changed its `_id`.
  Answer<std::optional<Row>> Next();

  bool has_ended() const override { return stream_->has_ended(); }
  bool awaits() const override { return true; }
  std::vector<ContainerId> containers() const override { return stream_->containers(); }
  void AppendFacts(model::DocumentBuilder& cursor, bool holds_row) const override;

 private:
  const std::unique_ptr<ChangeStream> stream_;
  const PipelinePtr pipeline_;
  std::string position_;  // behind the last row, and what follows it without a row
  std::string former_;    // before the last row
};

class ChangeRowSource final : public RowSource {
 public:
  explicit ChangeRowSource(std::shared_ptr<ChangeRows> rows) : rows_(std::move(rows)) {}
  Answer<std::optional<Row>> Next() override { return rows_->Next(); }

 private:
  const std::shared_ptr<ChangeRows> rows_;
};

}  // namespace orrery::mongo
