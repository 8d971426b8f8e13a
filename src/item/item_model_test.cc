// Random operations against a simple model of what a container is, with everything switched on:
// automatic and named indexes, unique keys, ttl, kept versions, sweeps, compaction, reopening and
// power cuts. After each phase the store must be what the model says and agree with itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "item/item_test_harness.h"
#include "storage/fault/fault_file_system.h"

namespace orrery::item {
namespace {

using enum OperationKind;
using model::PathStep;
using storage::ReadMode;

constexpr int kPartitions = 4;
constexpr int kIds = 6;
constexpr int kUniqueValues = 12;

struct ModelItem {
  std::string json;
  int number = 0;
  int unique = 0;
  std::set<int> tags;
  int ttl = 0;  // 0 = none
  Lsn lsn;
  std::optional<Micros> expiry;
};

class Model {
 public:
  using Key = std::pair<std::string, std::string>;

  ModelItem* Find(const Key& key, Micros now) {
    const auto found = items_.find(key);
    if (found == items_.end() || ExpiredAt(found->second.expiry, now)) return nullptr;
    return &found->second;
  }
  bool UniqueTaken(const Key& by, int unique, Micros now) {
    for (const auto& [key, item] : items_) {
      if (key.first == by.first && key != by && item.unique == unique &&
          !ExpiredAt(item.expiry, now))
        return true;
    }
    return false;
  }
  void Put(const Key& key, ModelItem item, Micros now) {
    item.expiry.reset();
    if (item.ttl != 0) item.expiry = now + std::chrono::seconds(item.ttl);
    items_[key] = std::move(item);
  }
  void Erase(const Key& key) { items_.erase(key); }
  std::map<Key, ModelItem> Live(Micros now) const {
    std::map<Key, ModelItem> live = items_;
    std::erase_if(live, [now](const auto& entry) { return ExpiredAt(entry.second.expiry, now); });
    return live;
  }

 private:
  std::map<Key, ModelItem> items_;
};

// Each seed another kind of power cut.
storage::PowerCutOptions CutOf(uint32_t seed) {
  storage::PowerCutOptions options;
  options.seed = seed;
  options.bytes = static_cast<storage::PowerCutOptions::Bytes>(seed % 3);
  options.names = static_cast<storage::PowerCutOptions::Names>(seed / 3 % 3);
  return options;
}

class ItemModelTest : public testing::TestWithParam<uint32_t> {
 protected:
  ItemModelTest() : faults_(scratch_ / "scratch", CutOf(GetParam())), random_(GetParam()) {
    harness_ = std::make_unique<ItemHarness>(storage::ResourceOptions{
        .block_cache_bytes = 8 << 20, .file_system = faults_.AsFileSystem()});
    schema_->indexing = IndexPolicy::All().WithNamed(
        {{.id = 1, .name = "by", .paths = {PathOf("/u"), PathOf("/t")}}});
    schema_->unique_keys = {{.paths = {PathOf("/u")}}};
    schema_->default_ttl_s = -1;
    schema_->feed_retention = std::chrono::hours(1);
    auto slices = std::make_shared<RetainedSlices>();
    (*slices)[schema_->id] = {.ranges = {partition::HashRange()},
                              .feed_retention = schema_->feed_retention};
    harness_->retention().SetSlices(slices);
  }

  int Pick(int below) { return static_cast<int>(random_() % static_cast<uint32_t>(below)); }

  ModelItem RandomItem() {
    ModelItem item;
    item.number = Pick(10);
    item.unique = Pick(kUniqueValues);
    for (int i = Pick(4); i > 0; --i) item.tags.insert(Pick(6));
    item.json = R"({"n":)" + std::to_string(item.number) + R"(,"u":)" +
                std::to_string(item.unique) + R"(,"t":[)";
    for (const int tag : item.tags) {
      item.json += (item.json.back() == '[' ? "" : ",") + std::to_string(tag);
    }
    item.json += "]";
    if (Pick(3) == 0) {
      item.ttl = 1 + Pick(30);
      item.json += R"(,"ttl":)" + std::to_string(item.ttl);
    }
    item.json += "}";
    return item;
  }

  // One transaction of one to three operations; the model says whether it must succeed.
  void Step() {
    const std::string pk = "p" + std::to_string(Pick(kPartitions));
    Model after = model_;
    std::vector<Operation> operations;
    std::vector<Model::Key> written;
    std::optional<Code> expected;
    const Micros now = harness_->now();
    for (int i = 1 + Pick(3); i > 0; --i) {
      const Model::Key key{pk, "i" + std::to_string(Pick(kIds))};
      const auto kind = static_cast<OperationKind>(Pick(6));
      ModelItem item = RandomItem();
      Operation operation = Do(kind, key.second);
      if (kind == kCreate || kind == kUpsert || kind == kReplace) {
        operation.document = Json(item.json);
      }
      if (kind == kPatch) {
        operation.patch = {{.type = model::PatchType::kSet,
                            .path = PathOf("/n"),
                            .value = model::Value::Int32(item.number),
                            .from = {}}};
      }
      operations.push_back(std::move(operation));
      if (expected.has_value()) continue;

      ModelItem* const present = after.Find(key, now);
      if (kind == kCreate && present != nullptr) {
        expected = Code::kAlreadyExists;
      } else if (kind != kCreate && kind != kUpsert && present == nullptr) {
        expected = Code::kNotFound;
      } else if (kind == kDelete) {
        after.Erase(key);
      } else if (kind == kPatch) {
        ModelItem patched = *present;
        patched.json = R"({"n":)" + std::to_string(item.number) +
                       patched.json.substr(patched.json.find(",\"u\""));
        patched.number = item.number;
        written.push_back(key);
        after.Put(key, std::move(patched), now);
      } else if (kind != kRead) {
        if (after.UniqueTaken(key, item.unique, now)) {
          expected = Code::kAlreadyExists;
          continue;
        }
        written.push_back(key);
        after.Put(key, std::move(item), now);
      }
    }
    const auto outcome = harness_->Run(schema_, pk, std::move(operations));
    ASSERT_EQ(outcome.status.has_value(), !expected.has_value());
    if (expected.has_value()) {
      ASSERT_EQ(outcome.code(), *expected);
      return;
    }
    model_ = std::move(after);
    for (const Model::Key& key : written) Stamp(key, outcome.result.lsn);
    ++transactions_;
  }

  // Position and exact expiry of what a transaction wrote are known only afterwards.
  void Stamp(const Model::Key& key, Lsn lsn) {
    ModelItem* item = model_.Find(key, Micros(0));
    if (item == nullptr) return;  // deleted later in the transaction
    const auto stored =
        storage::Read(harness_->engine(), DataKey(schema_->id, KeyOf(key.first, key.second)));
    ASSERT_TRUE(stored.has_value());
    const auto record = DecodeRecord(*stored);
    ASSERT_TRUE(record.has_value());
    ASSERT_EQ(record->lsn, lsn);
    ASSERT_EQ(record->expiry.has_value(), item->ttl != 0);
    if (item->ttl != 0) ASSERT_EQ(*record->expiry, record->time + std::chrono::seconds(item->ttl));
    item->lsn = lsn;
    item->expiry = record->expiry;
  }

  void Compare() {
    harness_->ExpectConsistent({schema_});
    const auto live = model_.Live(harness_->now());
    for (int p = 0; p < kPartitions; ++p) {
      for (int i = 0; i < kIds; ++i) {
        const Model::Key key{"p" + std::to_string(p), "i" + std::to_string(i)};
        const auto found = live.find(key);
        const auto stored = harness_->ReadJson(*schema_, key.first, key.second);
        ASSERT_EQ(stored.has_value(), found != live.end()) << key.first << " " << key.second;
        if (stored.has_value()) ASSERT_EQ(*stored, found->second.json);
      }
    }
    CompareIndexScan(live);
    CompareFeed(live);
  }

  // Items with a tag in [2, 4], each once.
  void CompareIndexScan(const std::map<Model::Key, ModelItem>& live) {
    size_t expected = 0;
    for (const auto& [key, item] : live) {
      expected += item.tags.lower_bound(2) != item.tags.upper_bound(4);
    }
    const auto bound = [](int value) {
      const model::Value number = model::Value::Int32(value);
      return ValueBound{.encoded = model::EncodeKey({&number, 1}, model::Order::kSql),
                        .inclusive = true};
    };
    ScanRequest request;
    request.index =
        IndexRange{.index = PathIndexId(std::vector{PathStep::Field("t"), PathStep::Element()}),
                   .lower = bound(2),
                   .upper = bound(4),
                   .descending = Pick(2) == 0};
    std::set<std::string> seen;
    std::optional<std::string> next;
    size_t found = 0;
    do {
      const auto page =
          harness_->Reader(*schema_).Scan(request, next, {.items_max = 2}, ReadMode::kMayBlock);
      ASSERT_TRUE(page.has_value());
      for (const ScannedItem& item : page->items) {
        seen.insert(item.key.partition_key + item.key.row_key);
      }
      found += page->items.size();
      next = page->next;
    } while (next.has_value());
    EXPECT_EQ(found, expected);
    EXPECT_EQ(seen.size(), expected);
  }

  void CompareFeed(const std::map<Model::Key, ModelItem>& live) {
    std::vector<std::pair<Lsn, std::string>> expected;
    for (const auto& [key, item] : live) expected.emplace_back(item.lsn, item.json);
    std::vector<std::pair<Lsn, std::string>> found;
    for (const FeedEntry& entry : harness_->Feed(*schema_, FeedMode::kLatestVersion).entries) {
      found.emplace_back(entry.lsn, model::ToJson(*entry.document));
    }
    EXPECT_TRUE(std::ranges::is_sorted(found, {}, &std::pair<Lsn, std::string>::first));
    std::ranges::sort(expected);
    std::ranges::sort(found);
    EXPECT_EQ(found, expected);
    ReplayAllVersions(live);
  }

  // Adds up all versions, of the items that have one within the retention.
  void ReplayAllVersions(const std::map<Model::Key, ModelItem>& live) {
    std::map<std::string, std::string> replayed;
    for (const FeedEntry& entry : harness_->Feed(*schema_, FeedMode::kAllVersions).entries) {
      const std::string key = entry.key.partition_key + entry.key.row_key;
      if (entry.kind == ChangeKind::kDelete) {
        replayed.erase(key);
      } else {
        ASSERT_TRUE(entry.document.has_value());
        replayed[key] = model::ToJson(*entry.document);
      }
    }
    for (const auto& [key, item] : live) {
      const auto found = replayed.find(Tuple(key.first) + Tuple(key.second));
      if (found != replayed.end()) EXPECT_EQ(found->second, item.json);
    }
  }

  storage::TemporaryDirectory scratch_;
  storage::FaultFileSystem faults_;
  std::mt19937 random_;
  std::unique_ptr<ItemHarness> harness_;
  std::shared_ptr<ContainerSchema> schema_ = PlainSchema();
  Model model_;
  size_t transactions_ = 0;
};

TEST_P(ItemModelTest, StaysWhatTheModelSays) {
  SCOPED_TRACE(testing::Message() << "seed " << GetParam());
  for (int phase = 0; phase < 10; ++phase) {
    SCOPED_TRACE(testing::Message() << "phase " << phase);
    for (int i = 0; i < 60; ++i) {
      Step();
      if (HasFatalFailure()) return;
      harness_->Advance(std::chrono::milliseconds(Pick(500)));
    }
    // The sequencer's times run ahead of a clock that stands still.
    harness_->Advance(std::chrono::seconds(1));
    Compare();
    if (HasFatalFailure()) return;
    switch (Pick(5)) {
      case 0:
        harness_->Sweep(schema_);
        break;
      case 1:
        harness_->Advance(std::chrono::hours(2));
        ASSERT_OK(harness_->engine().Flush());
        ASSERT_OK(harness_->engine().Compact({}, {}));
        break;
      case 2:
        harness_->Close();
        harness_->Open();
        break;
      case 3:
        ASSERT_OK(harness_->engine().Flush());
        break;
      default:
        faults_.Crash();
        harness_->Close();
        faults_.Restart();
        harness_->Open();
        break;
    }
    Compare();
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(transactions_, 100u);
}

INSTANTIATE_TEST_SUITE_P(Seeds, ItemModelTest, testing::Values(1u, 2u, 3u, 4u));

// A power cut at any call of the file system leaves a store that agrees with itself and has every
// transaction that was acknowledged.
TEST_P(ItemModelTest, PowerCutsLoseNothingAcknowledged) {
  SCOPED_TRACE(testing::Message() << "seed " << GetParam());
  std::set<std::string> acknowledged;
  int next_id = 0;
  for (int round = 0; round < 8; ++round) {
    SCOPED_TRACE(testing::Message() << "round " << round);
    faults_.CrashAfter(static_cast<uint64_t>(20 + Pick(120)));
    while (!faults_.crashed()) {
      const std::string id = std::to_string(next_id++);
      const auto outcome = harness_->Run(schema_, "p",
                                         {Do(kCreate, id, R"({"u":)" + id + R"(,"t":[1,2]})"),
                                          Do(kUpsert, "same", R"({"u":-1})")});
      if (outcome.status.has_value()) acknowledged.insert(id);
    }
    harness_->Close();
    faults_.Restart();
    harness_->Open();
    if (HasFatalFailure()) return;
    harness_->ExpectConsistent({schema_});
    for (const std::string& id : acknowledged) {
      ASSERT_TRUE(harness_->ReadJson(*schema_, "p", id).has_value()) << id;
    }
  }
  EXPECT_FALSE(acknowledged.empty());
}

}  // namespace
}  // namespace orrery::item
