// The fixture that tests of items share: one physical partition over a real engine in a temporary
// directory, on a clock that the test moves, with short ways to write and read items.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <future>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/thread_pool.h"
#include "item/container_schema.h"
#include "item/maintenance/consistency_check.h"
#include "item/maintenance/expiry.h"
#include "item/maintenance/retention_rule.h"
#include "item/read/feed.h"
#include "item/read/reader.h"
#include "item/write/ledger.h"
#include "item/write/transaction.h"
#include "model/document/json.h"
#include "model/key/key_codec.h"
#include "partition/key/partition_key.h"
#include "partition/sequencer.h"
#include "storage/engine/engine.h"
#include "storage/engine/engine_testing.h"
#include "storage/resources.h"

namespace orrery::item {

inline std::string Tuple(std::string text) {
  const model::Value value = model::Value::String(std::move(text));
  return model::EncodeKey({&value, 1}, model::Order::kSql);
}

inline Hash128 HashOfKey(const std::string& partition_key) {
  const model::Value value = model::Value::String(partition_key);
  return partition::HashOf(partition::KeyHashing::kV2, {&value, 1}).value();
}

// The item of partition `pk` and id `id`.
inline ItemKey KeyOf(const std::string& pk, const std::string& id) {
  return {HashOfKey(pk), Tuple(pk), Tuple(id)};
}

inline std::string EncodedValues(const std::vector<model::Value>& values) {
  return model::EncodeKey(values, model::Order::kSql);
}

inline model::Document Json(std::string_view text) {
  auto document = model::ParseJson(text);
  EXPECT_TRUE(document.has_value()) << text;
  return document.has_value() ? *std::move(document) : model::Document();
}

inline model::Path PathOf(std::string_view text) { return model::Path::Parse(text).value(); }

inline Operation Do(OperationKind kind, const std::string& id, std::string_view json = {}) {
  Operation operation;
  operation.kind = kind;
  operation.row_key = Tuple(id);
  if (!json.empty()) operation.document = Json(json);
  return operation;
}

// A container without indexes, ttl or kept versions.
inline std::shared_ptr<ContainerSchema> PlainSchema(uint32_t id = 1) {
  auto schema = std::make_shared<ContainerSchema>();
  schema->id = ContainerId(id);
  schema->partition_key_paths = {PathOf("/pk")};
  schema->row_key_path = PathOf("/id");
  schema->ttl_path = PathOf("/ttl");
  return schema;
}

inline std::shared_ptr<ContainerSchema> IndexedSchema(uint32_t id = 1) {
  auto schema = PlainSchema(id);
  schema->indexing = IndexPolicy::All();
  return schema;
}

class ItemHarness {
 public:
  explicit ItemHarness(storage::ResourceOptions options = {.block_cache_bytes = 8 << 20})
      : resources_(std::move(options)) {
    SetLogLevel(LogLevel::kError);
    Open();
  }
  ~ItemHarness() { Close(); }

  void Open() {
    auto engine = storage::Engine::Open(
        resources_, {.path = directory_ / "partition", .keep_rule = &retention_});
    ASSERT_TRUE(engine.has_value()) << engine.error().ToString();
    engine_ = *std::move(engine);
    auto ledger = Ledger::Open(*engine_);
    ASSERT_TRUE(ledger.has_value()) << ledger.error().ToString();
    ledger_ = *std::move(ledger);
    auto sequencer = partition::Sequencer::Open(*engine_, pool_, clock_, ledger_.get(), {});
    ASSERT_TRUE(sequencer.has_value()) << sequencer.error().ToString();
    sequencer_ = *std::move(sequencer);
  }
  void Close() {
    sequencer_.reset();
    ledger_.reset();
    engine_.reset();
  }

  struct Outcome {
    Status status;
    TransactionResult result;
    Code code() const { return status.has_value() ? Code::kInternal : status.error().code(); }
  };
  // Runs one transaction to its end.
  Outcome Run(std::shared_ptr<const ContainerSchema> schema, const std::string& pk,
              std::vector<Operation> operations) {
    std::promise<Outcome> promise;
    auto transaction = std::make_unique<Transaction>(
        TransactionRequest{std::move(schema), HashOfKey(pk), Tuple(pk), std::move(operations)},
        [&promise](std::unique_ptr<Transaction> self, Status status) {
          promise.set_value({std::move(status), std::move(self->result())});
        });
    transaction->SetLedger(*ledger_);
    sequencer_->Submit(std::move(transaction));
    return promise.get_future().get();
  }
  Outcome Run(std::shared_ptr<const ContainerSchema> schema, const std::string& pk,
              Operation operation) {
    std::vector<Operation> operations;
    operations.push_back(std::move(operation));
    return Run(std::move(schema), pk, std::move(operations));
  }
  // `make` gets the callback that the mutation must call.
  template <typename Make>
  Status Submit(Make make) {
    std::promise<Status> promise;
    sequencer_->Submit(make([&promise](Status status) { promise.set_value(std::move(status)); }));
    return promise.get_future().get();
  }

  SliceReader Reader(const ContainerSchema& schema, partition::HashRange range = {}) const {
    return SliceReader(*engine_, schema, range, clock_.Now());
  }
  // The item as JSON, or nullopt.
  std::optional<std::string> ReadJson(const ContainerSchema& schema, const std::string& pk,
                                      const std::string& id) const {
    const auto item = Reader(schema).Read(KeyOf(pk, id), storage::ReadMode::kMayBlock);
    if (!item.has_value()) {
      EXPECT_EQ(item.error().code(), Code::kNotFound) << item.error().ToString();
      return std::nullopt;
    }
    return model::ToJson(item->document);
  }

  // The whole feed after a position, page by page.
  FeedPage Feed(const ContainerSchema& schema, FeedMode mode, Lsn after = Lsn()) const {
    FeedPage all;
    all.position = after;
    while (!all.drained) {
      auto page = ReadFeed(*engine_, schema, {}, mode, all.position, sequencer_->last_committed(),
                           clock_.Now(), {}, storage::ReadMode::kMayBlock);
      EXPECT_TRUE(page.has_value()) << page.error().ToString();
      if (!page.has_value()) break;
      std::ranges::move(page->entries, std::back_inserter(all.entries));
      all.position = page->position;
      all.drained = page->drained;
      all.complete_until = page->complete_until;
    }
    return all;
  }

  // Removes everything that has expired; returns how many.
  size_t Sweep(const std::shared_ptr<const ContainerSchema>& schema) {
    auto expired = FindExpired(*engine_, schema->id, {}, clock_.Now(), 10'000);
    EXPECT_TRUE(expired.has_value());
    const size_t count = expired->size();
    const Status status = Submit([&](auto done) {
      return ExpiryMutation(schema, *std::move(expired), *ledger_, std::move(done));
    });
    EXPECT_TRUE(status.has_value());
    return count;
  }

  void ExpectConsistent(const std::vector<std::shared_ptr<const ContainerSchema>>& schemas) const {
    std::vector<CheckedSlice> slices;
    for (const auto& schema : schemas) slices.push_back({schema, {}});
    const auto report = CheckConsistency(*engine_, slices, {.now = clock_.Now()});
    ASSERT_TRUE(report.has_value()) << report.error().ToString();
    EXPECT_TRUE(report->ok()) << report->ToString();
  }

  void Advance(Micros by) { clock_.Advance(by); }
  Micros now() const { return clock_.Now(); }
  storage::Engine& engine() { return *engine_; }
  Ledger& ledger() { return *ledger_; }
  partition::Sequencer& sequencer() { return *sequencer_; }
  RetentionRule& retention() { return retention_; }

  static constexpr Micros kExpiryGrace = std::chrono::hours(1);

 private:
  storage::TemporaryDirectory directory_;
  ManualClock clock_;
  RetentionRule retention_{clock_, kExpiryGrace};
  ThreadPool pool_{"commit", 1, 64};
  storage::EngineResources resources_;
  std::unique_ptr<storage::Engine> engine_;
  std::unique_ptr<Ledger> ledger_;
  std::unique_ptr<partition::Sequencer> sequencer_;
};

}  // namespace orrery::item
