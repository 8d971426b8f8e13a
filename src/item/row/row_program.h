// A RowProgram is a write that must read before it acts: conditions ("IF name = 'x'"), changes that
// depend on stored rows (an element of a list by its index), and derived writes that depend on rows
// before and after the change (materialized views).
//
// The item layer knows neither types nor conditions: it reads the rows that the program names, as
// they are at its turn among all writes of the logical partition, and applies what it decides.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "item/row/row_changes.h"
#include "model/row/row.h"

namespace orrery::item {

// Rows by their clustering keys, half open over the bytes of these.
struct RowRange {
  std::string lower;
  std::optional<std::string> upper;  // none: to the partition's end

  friend bool operator==(const RowRange&, const RowRange&) = default;
};

// A row that a program examined, before and after its changes: what is visible of it, null when
// nothing is.
struct TouchedRow {
  std::string_view clustering;
  const model::Row* before = nullptr;
  const model::Row* after = nullptr;
};

// All of them are read while all other writes of the physical partition wait.
inline constexpr size_t kRowProgramReadsMax = 65'536;
inline constexpr size_t kRowProgramRangeRowsMax = 10'000;
inline constexpr size_t kRowProgramLooksMax = 1'000;

class RowProgram {
 public:
  virtual ~RowProgram() = default;

  // Clustering keys of the rows to look at. With more than kRowProgramReadsMax the write is refused
  // (kTooLarge).
  virtual std::span<const std::string> reads() const = 0;

  // `rows` are as stored, one for each of reads(), already without what is deleted or expired; an
  // absent one is empty. `now` is the server's time of this write: later than that of every write
  // before it in the partition. May be called again, after a split. An error refuses the write;
  // empty changes are a success, too (a condition that does not hold changes nothing). Their
  // derived writes count towards the request's limits.
  virtual Result<RowChanges> Decide(std::span<const std::optional<model::Row>> rows,
                                    Micros now) = 0;

  // After a Decide that changed nothing: whether it wants to see the partition's rows, from the
  // first on. At most kRowProgramLooksMax that are stored are examined.
  virtual bool looks_on() const { return false; }
  // One of them, of which something is visible. False: it has seen enough. An error refuses the
  // write.
  virtual Result<bool> LookAt(std::string_view /*clustering*/, const model::Row& /*row*/) {
    return false;
  }

  // Returns whether Follow is to be called; if not, the rows are not read again after the changes.
  virtual bool follows() const { return false; }
  // The rows in these are touched, too. Of all ranges together kRowProgramRangeRowsMax rows may be
  // stored, visible or not: the write is refused beyond (kTooLarge).
  virtual std::span<const RowRange> read_ranges() const { return {}; }
  // Returns the derived writes of other logical partitions. `rows` are those of reads() and
  // read_ranges(), each once, by clustering key. `now` as in Decide; an error refuses the write.
  virtual Result<std::vector<DerivedWrite>> Follow(std::span<const TouchedRow> /*rows*/,
                                                   Micros /*now*/) {
    return std::vector<DerivedWrite>();
  }
};

}  // namespace orrery::item
