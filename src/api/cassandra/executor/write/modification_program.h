// The statements of one partition that must look before they write: conditions (IF), operations on
// lists by index or value, and whatever changes rows that materialized views show.
//
// All conditions of all statements hold, and then all statements are done; or nothing is. The
// sequencer runs it in the partition's turn, so nothing comes between looking and writing.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "api/cassandra/executor/write/found_rows.h"
#include "api/cassandra/executor/write/modification_changes.h"
#include "gateway/row/row_requests.h"

namespace orrery::cassandra {

struct WrittenStatement {
  std::shared_ptr<const ModificationPlan> plan;
  BoundModification bound;
  // Nothing for conditional statements: they take the time of their turn.
  std::optional<int64_t> timestamp_us;
};

// Says what changes of base rows mean for their views (executor/view). Set by who plans the write.
class ViewMaintenance {
 public:
  virtual ~ViewMaintenance() = default;
  // The rows that the statements touch: single ones, by clustering key, and all of a range.
  virtual std::span<const std::string> reads() const = 0;
  virtual std::span<const item::RowRange> read_ranges() const = 0;
  // As item::RowProgram has it.
  virtual CqlResult<std::vector<item::DerivedWrite>> Follow(std::span<const item::TouchedRow> rows,
                                                            Micros now) const = 0;
};

class ModificationProgram final : public item::RowProgram {
 public:
  struct Options {
    std::string partition_key;               // serialized
    std::optional<uint32_t> now_s;           // instead of the server's clock
    std::unique_ptr<ViewMaintenance> views;  // may be null
  };
  // REQUIRES: at least one statement, all of one table and partition.
  ModificationProgram(std::vector<WrittenStatement> statements, Options options);

  std::span<const std::string> reads() const override { return reads_; }
  Result<item::RowChanges> Decide(std::span<const std::optional<model::Row>> rows,
                                  Micros now) override;
  bool looks_on() const override { return wants_first_row_; }
  Result<bool> LookAt(std::string_view clustering, const model::Row& row) override;
  bool follows() const override { return options_.views != nullptr; }
  std::span<const item::RowRange> read_ranges() const override;
  Result<std::vector<item::DerivedWrite>> Follow(std::span<const item::TouchedRow> rows,
                                                 Micros now) override;

  // The result of the last Decide.
  bool applied() const { return applied_; }
  // Returns the rows to show when it was not applied (found_rows.h).
  std::span<const FoundRow> found() const;
  // Why the write was refused, if it was for a reason of its own.
  const std::optional<CqlError>& error() const { return error_; }
  const Table& table() const { return *statements_.front().plan->table; }

 private:
  using Rows = std::span<const std::optional<model::Row>>;

  // Null when nothing shows.
  const model::Row* Find(Rows rows, std::string_view clustering) const;
  CqlResult<bool> ConditionsHold(const WrittenStatement& statement, Rows rows,
                                 uint32_t now_s) const;
  CqlStatus FindOut(Rows rows);
  CqlResult<item::RowChanges> Run(Rows rows, Micros now);

  const std::vector<WrittenStatement> statements_;
  const Options options_;
  std::vector<std::string> reads_;  // rising, each once
  bool applied_ = false;
  std::optional<FoundRows> found_;
  bool wants_first_row_ = false;  // to show it
  std::optional<CqlError> error_;
};

}  // namespace orrery::cassandra
