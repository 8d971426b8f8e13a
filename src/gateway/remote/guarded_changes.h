// A GuardedChanges is a RowProgram whose decisions were made elsewhere, as the partition's owner
// runs it: it looks at the same rows at its turn, and the changes are made only if these are what
// the decision was made on. If not, or if only a look was asked for, the write is refused, and what
// was seen goes back to be decided on (gateway/remote/program_run.h).
//
//   guard := step:number follows:flag looks_on:flag n:number key:bytes*n
//            n:number (lower:bytes upper:maybe)*n (00 | 01 digest:hash) decided:changes
//   step  := 00 look | 01 try | 02 commit
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/hash128.h"
#include "gateway/remote/message.h"
#include "gateway/remote/rows_seen.h"
#include "item/row/row_program.h"

namespace orrery::gateway {

struct Guard {
  enum class Step : uint8_t {
    kLook,    // only see the rows
    kTry,     // see them after the changes, too, but change nothing
    kCommit,  // make the changes, when the rows are still those
  };
  Step step = Step::kLook;
  bool follows = false;   // the rows of `ranges` count, too, and how rows become
  bool looks_on = false;  // also the partition's rows, from the first on
  std::vector<std::string> reads;
  std::vector<item::RowRange> ranges;
  std::optional<Hash128> expected;  // of DigestOf; none: whatever they are
  item::RowChanges decided;
};

void AppendGuard(MessageWriter& out, const Guard& guard);
Guard ReadGuard(MessageReader& in);

class GuardedChanges : public item::RowProgram {
 public:
  // Of the rows that it looks on at; more are not sent.
  static constexpr size_t kLookedBytesMax = 1 << 20;

  explicit GuardedChanges(Guard guard) : guard_(std::move(guard)) {}

  // The write was refused for what was seen: nothing was changed.
  bool refused() const { return refused_; }
  RowsSeen TakeSeen() { return std::move(seen_); }

  std::span<const std::string> reads() const override { return guard_.reads; }
  Result<item::RowChanges> Decide(std::span<const std::optional<model::Row>> rows,
                                  Micros now) override;
  bool looks_on() const override { return guard_.looks_on; }
  Result<bool> LookAt(std::string_view clustering, const model::Row& row) override;
  // The last word is Follow's when there is more to see after Decide.
  bool follows() const override { return guard_.follows || guard_.looks_on; }
  std::span<const item::RowRange> read_ranges() const override { return guard_.ranges; }
  Result<std::vector<item::DerivedWrite>> Follow(std::span<const item::TouchedRow> rows,
                                                 Micros now) override;

 private:
  // An error unless the changes may be made.
  Status Judge();

  const Guard guard_;
  RowsSeen seen_;
  size_t looked_bytes_ = 0;
  bool refused_ = false;
};

}  // namespace orrery::gateway
