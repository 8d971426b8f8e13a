// A ChangeBatchProgram is several updates and deletions of one command that follow each other, each
// of a document of its own in the same logical partition: one trip and one synced write for all.
//
// They are made in order, and see what those before them leave of receipts. What a ChangeProgram
// refuses is in its outcome; of an ordered command nothing behind it is made. What the core refuses
// (a unique index) refuses all, and nobody says which it was: then they are made one by one.
//
// Immutable, so thread-safe.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/mongo/executor/write/change_program.h"
#include "gateway/program/document_program.h"
#include "gateway/program/program_registry.h"

namespace orrery::mongo {

class ChangeBatchProgram final : public gateway::DocumentProgram {
 public:
  static constexpr std::string_view kKind = "mongo.changes";

  // REQUIRES: the keys of the changes differ.
  ChangeBatchProgram(std::vector<std::shared_ptr<const ChangeProgram>> changes, bool is_ordered);

  static void Register(gateway::ProgramRegistry& registry);

  // The outcomes of those that were tried.
  static Result<std::vector<WriteOutcome>> ReadOutcomes(std::string_view outcome);

  std::span<const model::Value> reads() const override { return keys_; }
  std::span<const std::string> receipts() const override { return receipts_; }
  Result<Decision> Decide(std::span<const std::optional<item::CurrentDocument>> documents,
                          Micros now) const override;
  Result<Decision> DecideWithReceipts(
      std::span<const std::optional<item::CurrentDocument>> documents,
      std::span<const std::optional<std::string>> receipts, Micros now) const override;
  std::string_view kind() const override { return kKind; }
  std::string Encode() const override;

 private:
  const std::vector<std::shared_ptr<const ChangeProgram>> changes_;
  const bool is_ordered_;
  std::vector<model::Value> keys_;
  std::vector<std::string> receipts_;  // without repetition
};

}  // namespace orrery::mongo
