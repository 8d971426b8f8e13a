// A TargetProgram agrees on the document that a statement is tried on, where its filter does not
// say the logical partition: whoever repeats the statement must find the receipt of the first try.
//
// The targets of a statement are a list in a receipt at the session's home, a ring position that
// follows from the session alone. A target is appended before it is tried; each try leaves a
// receipt of its own beside its document, also of having met nothing (RetryStatements with an
// `attempt`). So all who repeat the statement make the same tries, and none is made twice.
//
//   name   := 't' session:48 statement:uint32
//   bytes  := {t: number, g: [target]}                                        (BSON)
//   target := {k: [partition key], i: row key} | {k: [partition key], d: document to insert}
//
// Immutable, so thread-safe.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/mongo/executor/retry/retry_statements.h"
#include "gateway/program/document_program.h"
#include "gateway/program/program_registry.h"

namespace orrery::mongo {

struct StatementTarget {
  gateway::KeyValues partition_key;
  std::optional<model::Value> row_key = {};    // of a document that is there
  std::optional<model::Document> insert = {};  // or one, in stored form, to be made
};

class TargetProgram final : public gateway::DocumentProgram {
 public:
  static constexpr std::string_view kKind = "mongo.target";

  // Appends `next` unless there are more than `known` targets already.
  TargetProgram(RetryKey key, int32_t statement, size_t known, std::optional<StatementTarget> next);

  static void Register(gateway::ProgramRegistry& registry);

  // All targets of the statement, from a program's outcome. kTransactionTooOld.
  static Answer<std::vector<StatementTarget>> ReadTargets(std::string_view outcome);
  // The partition key of a session's home in a container with so many paths.
  static gateway::KeyValues HomeOf(const RetryKey& key, size_t paths);

  std::span<const model::Value> reads() const override { return {}; }
  std::span<const std::string> receipts() const override { return {&name_, 1}; }
  Result<Decision> Decide(std::span<const std::optional<item::CurrentDocument>> documents,
                          Micros now) const override;
  Result<Decision> DecideWithReceipts(
      std::span<const std::optional<item::CurrentDocument>> documents,
      std::span<const std::optional<std::string>> receipts, Micros now) const override;
  std::string_view kind() const override { return kKind; }
  std::string Encode() const override;

 private:
  const RetryKey key_;
  const int32_t statement_;
  const size_t known_;
  const std::optional<StatementTarget> next_;
  std::string name_;
};

}  // namespace orrery::mongo
