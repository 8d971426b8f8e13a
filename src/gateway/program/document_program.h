// A DocumentProgram is a read-modify-write of documents of one logical partition, as APIs write it:
// keys are values, and the operations it decides on are those of any write request. It runs in the
// partition's sequencer (item/write/document_program.h), on whichever node has the partition.
//
// Programs travel as data, never as code: a kind that every node knows (program_registry.h) and
// bytes that the kind's decoder understands. Decide must follow from them, the documents and the
// time alone.
//
// Immutable, so thread-safe. Must not block.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "gateway/requests.h"
#include "item/write/document_program.h"
#include "model/value.h"

namespace orrery::gateway {

class DocumentProgram {
 public:
  struct Decision {
    std::vector<WriteOperation> operations;  // as in item::ProgramDecision
    std::string outcome;                     // WriteResponse::outcome
    std::vector<item::Receipt> receipts{};   // kept of it beside the documents
  };

  virtual ~DocumentProgram() = default;

  // Returns the row keys of the documents to look at.
  virtual std::span<const model::Value> reads() const = 0;
  // Decides on `documents`, one for each of reads(). An error refuses the write and becomes the
  // response's status.
  virtual Result<Decision> Decide(std::span<const std::optional<item::CurrentDocument>> documents,
                                  Micros now) const = 0;

  // Names the receipts of earlier programs to look at, in the same logical partition.
  virtual std::span<const std::string> receipts() const { return {}; }
  // The same for programs that name receipts, one for each; others need not override it.
  virtual Result<Decision> DecideWithReceipts(
      std::span<const std::optional<item::CurrentDocument>> documents,
      std::span<const std::optional<std::string>> /*receipts*/, Micros now) const {
    return Decide(documents, now);
  }

  virtual std::string_view kind() const = 0;
  virtual std::string Encode() const = 0;
  // About the size of Encode(), for limits on what is under way.
  virtual size_t bytes() const { return Encode().size(); }
};

struct ProgramRequest {
  ContainerRef container;
  KeyValues partition_key;
  std::shared_ptr<const DocumentProgram> program;
};

}  // namespace orrery::gateway
