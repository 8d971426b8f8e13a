// Runs bound modifications: one statement, or a batch of them.
//
// Statements are put together by partition; each partition's share is one write of the core, all or
// nothing. A logged batch over several partitions is one write with derived writes
// (item/row/row_changes.h): once the first is stored, all of it will be, also in the views of its
// tables. Other batches and statements over several partitions are as many writes, side by side
// (pending_write.h).
//
// `done` is called once, from any thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "api/cassandra/executor/outcome.h"
#include "api/cassandra/executor/write/modification_program.h"
#include "api/cassandra/executor/write/write_clock.h"
#include "base/delay_queue.h"
#include "gateway/row/row_gateway.h"

namespace orrery::cassandra {

// The name of a statement or batch in errors, and whether its parts belong together.
enum class WriteKind : uint8_t { kStatement, kLoggedBatch, kUnloggedBatch, kCounterBatch };

struct WriteContext {
  Consistency consistency = Consistency::kOne;
  std::optional<int64_t> timestamp_us;  // the request's default
  std::optional<uint32_t> now_s;        // instead of the server's clock
};

// A ViewPlanner tells writes what materialized views need. Implemented by executor/view.
class ViewPlanner {
 public:
  virtual ~ViewPlanner() = default;
  // Taken before Plan and kept until the write is done, so that a view that is made meanwhile can
  // wait for the writes that do not know of it.
  virtual std::shared_ptr<const void> Enter() const = 0;
  // Returns the maintenance of the views of a base table, for the rows that these statements touch
  // in one partition; null when there is nothing to maintain.
  virtual std::unique_ptr<ViewMaintenance> Plan(
      const Table& base, std::string_view partition_key,
      std::span<const WrittenStatement> statements) const = 0;
  // Returns what these rows would bring into the views of a base table if nothing else were in
  // them: to find out what could never be delivered.
  virtual CqlResult<std::vector<item::DerivedWrite>> Foresee(
      const Table& base, std::string_view partition_key, const item::RowChanges& changes) const = 0;
};

class WriteRunner {
 public:
  using Done = std::move_only_function<void(Outcome)>;

  // All must outlive it; `views` may be null. `waits` is where throttled shares wait; null: they do
  // not.
  WriteRunner(gateway::RowGateway& rows, WriteClock& clock, const ViewPlanner* views,
              DelayQueue* waits)
      : rows_(rows), clock_(clock), views_(views), waits_(waits) {}

  // REQUIRES: at least one statement.
  void Run(WriteKind kind, std::vector<WrittenStatement> statements, const WriteContext& context,
           Done done) const;

 private:
  struct Share;     // of one partition
  struct Prepared;  // a share, ready to be sent
  struct Now {
    int64_t unique_us;  // no other write has it
    uint32_t seconds;   // of the request, or the server's
  };

  CqlResult<std::vector<Share>> Divide(std::vector<WrittenStatement> statements) const;
  // `in_batch`: of a logged batch over several partitions.
  CqlResult<Prepared> Prepare(Share share, const WriteContext& context, const Now& now,
                              bool in_batch) const;
  // Makes one write of a logged batch's: a leader, which the others follow.
  CqlResult<std::vector<gateway::RowWriteRequest>> JoinDerivedWrites(std::vector<Prepared> shares,
                                                                     Consistency consistency) const;

  gateway::RowGateway& rows_;
  WriteClock& clock_;
  const ViewPlanner* const views_;
  DelayQueue* const waits_;
};

}  // namespace orrery::cassandra
