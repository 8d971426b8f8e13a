// A ChangeProgram makes changes of entities that depend on what is stored: merges, and changes of
// one version. All of them are made, or none.
//
// It runs in the sequencer of the entities' partition (gateway/program/document_program.h). A
// change that cannot be made is no error of the program but its outcome, which says which one and
// why.
//
// Immutable, so thread-safe.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/table/executor/entity_change.h"
#include "gateway/program/document_program.h"
#include "gateway/program/program_registry.h"

namespace orrery::table {

class ChangeProgram final : public gateway::DocumentProgram {
 public:
  static constexpr std::string_view kKind = "table.changes";

  // REQUIRES: all of one partition key, each row key once.
  explicit ChangeProgram(std::vector<EntityChange> changes);

  std::span<const model::Value> reads() const override { return row_keys_; }
  Result<Decision> Decide(std::span<const std::optional<item::CurrentDocument>> documents,
                          Micros now) const override;
  std::string_view kind() const override { return kKind; }
  std::string Encode() const override;

  static void Register(gateway::ProgramRegistry& registry);

 private:
  const std::vector<EntityChange> changes_;
  std::vector<model::Value> row_keys_;
};

// Why a program changed nothing, of WriteResponse::outcome; nullopt if it did what it was asked.
struct FailedChange {
  size_t index = 0;
  ErrorCode code = ErrorCode::kInternalError;
};
std::optional<FailedChange> FailedChangeIn(std::string_view outcome);

}  // namespace orrery::table
