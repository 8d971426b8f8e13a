// A RetryProbeProgram looks whether a statement was done before, where no document was found to run
// it on: an update may have made its document match no more. Its outcome is that of the statement,
// or an empty one.
//
// Immutable, so thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "api/mongo/executor/retry/retry_statements.h"
#include "gateway/program/document_program.h"
#include "gateway/program/program_registry.h"

namespace orrery::mongo {

class RetryProbeProgram final : public gateway::DocumentProgram {
 public:
  static constexpr std::string_view kKind = "mongo.retry_probe";

  // REQUIRES: one statement.
  explicit RetryProbeProgram(RetryStatements statements) : statements_(std::move(statements)) {}

  static void Register(gateway::ProgramRegistry& registry);

  std::span<const model::Value> reads() const override { return {}; }
  std::span<const std::string> receipts() const override { return statements_.receipts(); }
  Result<Decision> Decide(std::span<const std::optional<item::CurrentDocument>> documents,
                          Micros now) const override;
  Result<Decision> DecideWithReceipts(
      std::span<const std::optional<item::CurrentDocument>> documents,
      std::span<const std::optional<std::string>> receipts, Micros now) const override;
  std::string_view kind() const override { return kKind; }
  std::string Encode() const override;

 private:
  const RetryStatements statements_;
};

}  // namespace orrery::mongo
