// An InsertProgram creates documents of one logical partition that are not there yet, and says of
// the others that they are: one synced write for as many documents as one batch holds.
//
// Of a capped collection it makes room, too, or says what is to be found for that (capped_ring.h).
// With RetryStatements each is made once, however often it is sent. Immutable, so thread-safe.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/mongo/catalog/collection.h"
#include "api/mongo/executor/retry/retry_statements.h"
#include "api/mongo/executor/write/capped_ring.h"
#include "api/mongo/executor/write/write_outcome.h"
#include "gateway/program/document_program.h"
#include "gateway/program/program_registry.h"
#include "model/document/document.h"

namespace orrery::mongo {

struct InsertOptions {
  bool is_ordered = true;    // none behind the first that fails is created
  bool is_upsert = false;    // the outcome has the `_id` of the one document
  bool wants_image = false;  // and the document
  // Of a capped collection: what was found for it; null: nothing yet.
  std::shared_ptr<const RingRoom> room = nullptr;
};

class InsertProgram final : public gateway::DocumentProgram {
 public:
  static constexpr std::string_view kKind = "mongo.insert";

  // `documents` are in stored form, of one partition key; an upsert has one.
  InsertProgram(CollectionPtr collection, std::vector<model::Document> documents,
                InsertOptions options, std::optional<RetryStatements> retry = std::nullopt);

  static void Register(gateway::ProgramRegistry& registry);

  std::span<const model::Value> reads() const override { return keys_; }
  std::span<const std::string> receipts() const override { return receipts_; }
  Result<Decision> Decide(std::span<const std::optional<item::CurrentDocument>> documents,
                          Micros now) const override;
  Result<Decision> DecideWithReceipts(
      std::span<const std::optional<item::CurrentDocument>> documents,
      std::span<const std::optional<std::string>> receipts, Micros now) const override;
  std::string_view kind() const override { return kKind; }
  std::string Encode() const override;
  size_t bytes() const override;

 private:
  // `log` and `ring` may be null.
  Decision Make(std::span<const std::optional<item::CurrentDocument>> documents, RetryLog* log,
                RingState* ring) const;
  // Deletes the oldest documents until `ring` has room for what `decision` inserts. Returns false
  // if those that were found are too few: then it deletes these, and inserts nothing.
  bool MakeRoom(std::span<const std::optional<item::CurrentDocument>> oldest,
                const RingState& former, RingState& ring, Decision& decision) const;

  const CollectionPtr collection_;
  const std::vector<model::Document> documents_;
  const InsertOptions options_;
  const std::optional<RetryStatements> retry_;
  std::vector<model::Value> keys_;  // of the documents, and then of the oldest ones
  std::vector<std::string> receipts_;
};

// kDuplicateKey of a document whose `_id` is there: "E11000 duplicate key error collection: ...".
MongoError DuplicateId(const Collection& collection, const model::Value& id);

}  // namespace orrery::mongo
