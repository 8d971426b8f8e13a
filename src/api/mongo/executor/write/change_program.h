// A ChangeProgram updates or deletes the document of one `_id`, if it still matches the filter at
// the write's turn; or inserts it, if it is an upsert and there is none.
//
// Filter and update are evaluated in the partition's sequencer on the same version: no change of
// another writer comes between. With RetryStatements it is made once, however often it is sent.
//
// Immutable, so thread-safe.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "api/mongo/catalog/collection.h"
#include "api/mongo/executor/read/text_query.h"
#include "api/mongo/executor/retry/retry_statements.h"
#include "api/mongo/executor/write/capped_ring.h"
#include "api/mongo/executor/write/settled_change.h"
#include "api/mongo/executor/write/write_outcome.h"
#include "api/mongo/executor/write/write_statement.h"
#include "gateway/program/document_program.h"
#include "gateway/program/program_registry.h"

namespace orrery::mongo {

// ImageWanted says which image of the document the command answers with.
enum class ImageWanted : uint8_t { kNone, kBefore, kAfter };

struct ChangeOptions {
  ImageWanted image = ImageWanted::kNone;
  bool upserts = false;   // REQUIRES: the filter demands the `_id`; the collection is not capped
  bool validates = true;  // against the collection's validator
};

class ChangeProgram final : public gateway::DocumentProgram {
 public:
  static constexpr std::string_view kKind = "mongo.change";

  // `key` is the row key of the document. `settled`: what becomes of it, of a statement that runs
  // JavaScript; without it such a program makes nothing but a wish to look.
  ChangeProgram(CollectionPtr collection, model::Value key, WriteStatementPtr statement,
                ChangeOptions options, std::optional<RetryStatements> retry = std::nullopt,
                std::shared_ptr<const SettledChange> settled = nullptr)
      : collection_(std::move(collection)),
        key_(std::move(key)),
        statement_(std::move(statement)),
        options_(options),
        retry_(std::move(retry)),
        settled_(std::move(settled)),
        search_(BindText(*collection_, statement_->filter.get())) {
    if (retry_.has_value()) receipts_.assign(retry_->receipts().begin(), retry_->receipts().end());
    if (collection_->form == DocumentForm::kCapped) receipts_.emplace_back(kRingReceipt);
  }

  // Returns whether the change of `document` (as MongoDB's clients see it) would fail. The
  // sequencer decides by the newest version.
  bool WouldFail(const model::Document& document, Micros now) const;

  // The context in which a statement's update is applied.
  static UpdateContext ContextOf(const Collection& collection, const WriteStatement& statement,
                                 Micros now);

  static void Register(gateway::ProgramRegistry& registry);
  // Reads what Encode has written.
  static Result<std::shared_ptr<const ChangeProgram>> Decode(const gateway::ContainerRef& container,
                                                             std::string_view data);

  std::span<const model::Value> reads() const override { return {&key_, 1}; }
  std::span<const std::string> receipts() const override { return receipts_; }
  Result<Decision> Decide(std::span<const std::optional<item::CurrentDocument>> documents,
                          Micros now) const override;
  Result<Decision> DecideWithReceipts(
      std::span<const std::optional<item::CurrentDocument>> documents,
      std::span<const std::optional<std::string>> receipts, Micros now) const override;
  std::string_view kind() const override { return kKind; }
  std::string Encode() const override;

 private:
  Outcome Change(model::DocumentView stored, Micros now, Decision& decision,
                 WriteOutcome& outcome) const;
  Outcome Insert(Micros now, Decision& decision, WriteOutcome& outcome) const;
  // Nothing is done after a failure.
  WriteOutcome Make(const std::optional<item::CurrentDocument>& current, Micros now,
                    Decision& decision) const;
  UpdateContext ContextAt(Micros now) const;
  // Counts what `decision` changes of a capped collection, whose receipt is `kept`.
  static void CountChange(const std::optional<item::CurrentDocument>& current,
                          const std::optional<std::string>& kept, Decision& decision);

  const CollectionPtr collection_;
  const model::Value key_;
  const WriteStatementPtr statement_;
  const ChangeOptions options_;
  const std::optional<RetryStatements> retry_;
  const std::shared_ptr<const SettledChange> settled_;
  std::vector<std::string> receipts_;
  const Answer<std::shared_ptr<const TextSearch>> search_;  // of the filter's $text
};

}  // namespace orrery::mongo
