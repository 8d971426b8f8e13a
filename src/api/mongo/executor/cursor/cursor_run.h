// A CursorRun is a query that is read in batches: by its first command, and by getMore when it is
// kept in the registry of cursors.
//
// Used by one thread at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "api/mongo/executor/cursor/tail.h"
#include "api/mongo/executor/run_state.h"
#include "api/mongo/language/row.h"
#include "model/document/document_builder.h"
#include "query/cursor/kept_run.h"

namespace orrery::mongo {

// The limits of one batch.
inline constexpr size_t kBatchBytesMax = size_t{16} << 20;
inline constexpr uint64_t kFirstBatchRows = 101;

class CursorRun final : public query::KeptRun {
 public:
  // `name`: the namespace that getMore must name. `kept` is held as long as the run.
  CursorRun(std::string name, std::unique_ptr<RowSource> rows, std::shared_ptr<RunState> state,
            std::shared_ptr<const void> kept = nullptr, std::shared_ptr<const Tail> tail = nullptr)
      : name_(std::move(name)),
        kept_(std::move(kept)),
        tail_(std::move(tail)),
        state_(std::move(state)),
        rows_(std::move(rows)) {}

  const std::string& name() const { return name_; }
  RunState& state() { return *state_; }
  const Tail* tail() const { return tail_.get(); }  // null: the query has an end
  size_t bytes() const override;
  // Appends what is to be said beside the rows.
  void AppendFacts(model::DocumentBuilder& cursor) const {
    if (tail_ != nullptr) tail_->AppendFacts(cursor, next_.has_value());
  }

  // Appends the next rows to an open array, `rows_max` at most, and fewer when `may_cut` and the
  // request is late. Returns whether rows may be left; of a query with a tail, whether any may come.
  Answer<bool> Fill(model::DocumentBuilder& array, uint64_t rows_max, bool may_cut = true);
  // The rows that the last Fill has appended.
  int64_t given() const { return given_; }

 private:
  const std::string name_;
  const std::shared_ptr<const void> kept_;  // goes last
  const std::shared_ptr<const Tail> tail_;
  const std::shared_ptr<RunState> state_;
  const std::unique_ptr<RowSource> rows_;
  std::optional<Row> next_;            // read, and did not fit
  std::optional<MongoError> failure_;  // met behind rows: the next call answers it
  int64_t given_ = 0;
};

}  // namespace orrery::mongo
