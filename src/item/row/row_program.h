// What a write does that must look before it acts: conditions ("IF name = 'x'"), and changes that
// depend on what is stored (an element of a list by its index).
//
// The item layer knows neither types nor conditions: it reads the rows that the program names, as
// they are at its turn among all writes of the logical partition, and applies what it decides.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "item/row/row_changes.h"
#include "model/row/row.h"

namespace orrery::item {

class RowProgram {
 public:
  virtual ~RowProgram() = default;

  // Clustering keys of the rows to look at; at most kRowProgramReadsMax.
  virtual std::span<const std::string> reads() const = 0;

  // `rows` are as stored, one for each of reads(), already without what is deleted or expired; an
  // absent one is empty. `now` is the server's time of this write: later than that of every write
  // before it in the partition. May be called again, after a split. An error refuses the write;
  // changes that are empty are a success, too (a condition that does not hold changes nothing).
  // What they have as followers counts towards the request's limits.
  virtual Result<RowChanges> Decide(std::span<const std::optional<model::Row>> rows,
                                    Micros now) = 0;
};

inline constexpr size_t kRowProgramReadsMax = 65'536;

}  // namespace orrery::item
