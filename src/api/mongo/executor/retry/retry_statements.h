// RetryStatements name the statements of one program that a driver may send again: by session,
// transaction number and the statements' numbers, as retryable writes do.
//
// A program with them looks at the receipts of its session in the logical partition that it
// changes, and leaves one of what it did, in the same batch (docs/format/mongo-receipts.md). A
// session has one receipt for each kBlockStatements numbers of statements, which a newer
// transaction number writes over: their count is bounded by the largest command of the session.
//
//   name  := 'm' session:48 block:uint32                   ; block 0 says the session's newest
//   number
//          | 'u' session:48 statement:uint32 try:uint32    ; of one try of a statement whose
//                                                          ; partition is not known beforehand
//   bytes := {t: number, s: [{i: first, c: count} | {i: statement, r: WriteOutcome}]}   (BSON)
//
// Immutable, so thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/mongo/error/mongo_error.h"
#include "api/mongo/executor/write/write_outcome.h"
#include "base/clock.h"
#include "base/status.h"
#include "gateway/program/document_program.h"
#include "model/document/document.h"
#include "model/document/document_builder.h"

namespace orrery::mongo {

// The bytes of a session: its id, and the digest of its user.
inline constexpr size_t kSessionIdBytes = 16;
inline constexpr size_t kSessionBytes = 48;
// As long as a session lives after its last use.
inline constexpr Micros kReceiptLifetime = std::chrono::minutes(30);
inline constexpr int32_t kBlockStatements = 128;

// The facts that all statements of a command share.
struct RetryKey {
  std::string session;  // kSessionBytes
  int64_t number = 0;   // txnNumber
};

// "5e0c.. - 47DEQ.. -  - ": a session as errors name it.
std::string SessionText(std::string_view session);
MongoError TransactionTooOld(std::string_view session, int64_t number, int64_t newer);

class RetryStatements {
 public:
  // `statements` are the numbers of the program's documents, in their order. With `attempt` the
  // receipt is that of one try (target_program.h); REQUIRES: then there is one statement.
  RetryStatements(RetryKey key, std::vector<int32_t> statements,
                  std::optional<int32_t> attempt = std::nullopt);

  const RetryKey& key() const { return key_; }
  std::span<const int32_t> statements() const { return statements_; }
  bool is_attempt() const { return attempt_.has_value(); }
  // The receipts that a program with them must name.
  std::span<const std::string> receipts() const { return names_; }

  // As a field of a program that travels.
  void AppendTo(model::DocumentBuilder& program) const;
  // Returns nullopt when the program has none; kInvalidArgument when they are malformed.
  static Result<std::optional<RetryStatements>> ReadFrom(model::DocumentView program);

 private:
  friend class RetryLog;
  size_t BlockOf(int32_t statement) const;  // its place in names_

  RetryKey key_;
  std::vector<int32_t> statements_;
  std::optional<int32_t> attempt_;
  std::vector<std::string> names_;
  std::vector<int32_t> blocks_;  // one for each name
};

// A RetryLog is what the receipts say while one program decides, and becomes the receipts that it
// leaves.
class RetryLog {
 public:
  // kTransactionTooOld when the session has gone on; kInternalError for malformed receipts.
  static Answer<RetryLog> Open(const RetryStatements& statements,
                               std::span<const std::optional<std::string>> receipts);

  // Returns what the statement of a document has done before; nullptr: nothing.
  const WriteOutcome* Find(size_t document) const;
  // Keeps what it does now.
  void Record(size_t document, WriteOutcome outcome);
  // The receipts to write: none when nothing was recorded.
  std::vector<item::Receipt> Take();

 private:
  struct Done {
    int32_t statement = 0;
    WriteOutcome outcome;
  };
  struct Block {
    int64_t number = INT64_MIN;  // of the receipt; INT64_MIN: there is none
    std::vector<Done> done = {};
    bool is_changed = false;
  };
  explicit RetryLog(const RetryStatements& statements) : statements_(statements) {}

  const RetryStatements& statements_;
  std::vector<Block> blocks_;
};

}  // namespace orrery::mongo
