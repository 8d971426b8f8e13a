// A DocumentProgram is a write that must look before it acts: it reads documents of one logical
// partition as they are at its turn among all writes, and decides what to do with them.
//
// Nothing comes between the look and the decision, so there is neither a lock nor a retry. A
// program runs on the sequencer's thread while the other writers of the partition wait: its work is
// bounded by what it looks at, and it must not block.
//
// Immutable, so thread-safe.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/ids.h"
#include "base/status.h"
#include "item/layout/key_layout.h"
#include "item/write/operation.h"
#include "model/document/document.h"

namespace orrery::item {

inline constexpr size_t kProgramReadsMax = 1'000;
inline constexpr size_t kProgramReceiptsMax = 1'000;
inline constexpr size_t kReceiptNameBytesMax = 256;

// A document as a program finds it.
struct CurrentDocument {
  ItemRef key;
  Lsn lsn;
  Micros time{0};
  model::DocumentView document;
};

// A Receipt is a record that a program keeps of itself in the logical partition that it changes:
// written in the same batch as its operations, seen by later programs only, gone after its
// lifetime. It is no item: neither reads nor the feed, sizes or unique keys know of it.
struct Receipt {
  std::string name;
  std::string bytes;
  Micros lifetime{0};
};

struct ProgramDecision {
  // Done in order, all or none. May be empty: then nothing changes.
  std::vector<Operation> operations;
  // The program's answer to its caller, opaque to the core.
  std::string outcome;
  // Written with the operations, each in place of the one with its name.
  std::vector<Receipt> receipts{};
};

class DocumentProgram {
 public:
  virtual ~DocumentProgram() = default;

  // Returns the encoded row keys to look at, at most kProgramReadsMax.
  virtual std::span<const std::string> reads() const = 0;
  // Returns the names of the receipts to look at, at most kProgramReceiptsMax.
  virtual std::span<const std::string> receipts() const { return {}; }
  // Decides on `documents`, one for each of reads(), nullopt where there is none. `now` is the
  // server's time of this write, later than that of every write before it in the partition. An
  // error refuses the write. Called again when the partition has split or moved meanwhile.
  virtual Result<ProgramDecision> Decide(std::span<const std::optional<CurrentDocument>> documents,
                                         Micros now) const = 0;
  // The same for programs with receipts, one for each of receipts(). Others need not override it.
  virtual Result<ProgramDecision> DecideWithReceipts(
      std::span<const std::optional<CurrentDocument>> documents,
      std::span<const std::optional<std::string>> /*receipts*/, Micros now) const {
    return Decide(documents, now);
  }
  // Returns about how many bytes it will write, for the limit on what one group holds.
  virtual size_t bytes() const = 0;
};

}  // namespace orrery::item
