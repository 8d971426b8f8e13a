#include "storage/memtable/memtable_rep.h"

#include <gtest/gtest.h>
#include <rocksdb/db.h>
#include <rocksdb/memtablerep.h>

#include <random>

#include "storage/engine/engine_testing.h"

namespace orrery::storage {
namespace {

using rocksdb::MemTableRep;
using rocksdb::Slice;

rocksdb::Options OurOptions() {
  rocksdb::Options options;
  options.create_if_missing = true;
  options.fail_if_options_file_error = true;
  options.allow_concurrent_memtable_write = false;
  options.memtable_factory = MakeMemtableFactory();
  return options;
}

std::unique_ptr<rocksdb::DB> Open(const rocksdb::Options& options, const std::string& path) {
  rocksdb::DB* db = nullptr;
  const rocksdb::Status status = rocksdb::DB::Open(options, path, &db);
  EXPECT_TRUE(status.ok()) << status.ToString();
  return std::unique_ptr<rocksdb::DB>(db);
}

std::string Get(rocksdb::DB& db, const std::string& key, const rocksdb::Snapshot* snapshot) {
  rocksdb::ReadOptions options;
  options.snapshot = snapshot;
  std::string value;
  const rocksdb::Status status = db.Get(options, key, &value);
  EXPECT_TRUE(status.ok() || status.IsNotFound());
  return status.ok() ? value : "-";
}

using Pairs = std::vector<std::pair<std::string, std::string>>;

Pairs Forward(rocksdb::DB& db, const rocksdb::Snapshot* snapshot) {
  rocksdb::ReadOptions options;
  options.snapshot = snapshot;
  const std::unique_ptr<rocksdb::Iterator> it(db.NewIterator(options));
  Pairs pairs;
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    pairs.emplace_back(it->key().ToString(), it->value().ToString());
  }
  return pairs;
}

Pairs BackwardFrom(rocksdb::DB& db, const std::string& key) {
  const std::unique_ptr<rocksdb::Iterator> it(db.NewIterator({}));
  Pairs pairs;
  for (it->SeekForPrev(key); it->Valid(); it->Prev()) {
    pairs.emplace_back(it->key().ToString(), it->value().ToString());
  }
  return pairs;
}

TEST(MemtableRepTest, ADatabaseWithItAnswersLikeOneWithRocksDbsOwn) {
  constexpr uint32_t kSeed = 31;
  SCOPED_TRACE(kSeed);
  std::mt19937 random(kSeed);
  const TemporaryDirectory directory;
  const auto ours = Open(OurOptions(), directory / "ours");
  rocksdb::Options usual = OurOptions();
  usual.memtable_factory = std::make_shared<rocksdb::SkipListFactory>();
  const auto theirs = Open(usual, directory / "theirs");
  const auto draw = [&random] {
    return std::string(random() % 20, 'k') + char('a' + random() % 9);
  };

  const rocksdb::Snapshot* our_snapshot = nullptr;
  const rocksdb::Snapshot* their_snapshot = nullptr;
  for (int i = 0; i < 2000; ++i) {
    rocksdb::WriteBatch batch;
    batch.Put(draw(), std::to_string(i));
    batch.Put(draw(), std::to_string(i) + "b");
    if (i % 3 == 0) batch.Delete(draw());
    if (i % 400 == 0) batch.DeleteRange("kkkka", "kkkkb");
    ASSERT_TRUE(ours->Write({}, &batch).ok());
    ASSERT_TRUE(theirs->Write({}, &batch).ok());
    if (i == 1000) {
      our_snapshot = ours->GetSnapshot();
      their_snapshot = theirs->GetSnapshot();
    }
    if (i == 700) ASSERT_TRUE(ours->Flush({}).ok());
    const std::string key = draw();
    ASSERT_EQ(Get(*ours, key, nullptr), Get(*theirs, key, nullptr));
    ASSERT_EQ(Get(*ours, key, our_snapshot), Get(*theirs, key, their_snapshot));
    if (i % 50 != 0) continue;
    ASSERT_EQ(Forward(*ours, nullptr), Forward(*theirs, nullptr));
    ASSERT_EQ(Forward(*ours, our_snapshot), Forward(*theirs, their_snapshot));
    ASSERT_EQ(BackwardFrom(*ours, key), BackwardFrom(*theirs, key));
  }
  const Pairs last = Forward(*ours, nullptr);
  ASSERT_TRUE(ours->Flush({}).ok());
  EXPECT_EQ(Forward(*ours, nullptr), last);
  ours->ReleaseSnapshot(our_snapshot);
  theirs->ReleaseSnapshot(their_snapshot);
}

TEST(MemtableRepTest, GuessesTheSizeOfARange) {
  const TemporaryDirectory directory;
  const auto db = Open(OurOptions(), directory / "db");
  for (int i = 0; i < 10'000; ++i) {
    ASSERT_TRUE(db->Put({}, fmt::format("{:08}", i), "value").ok());
  }
  uint64_t count = 0;
  uint64_t bytes = 0;
  db->GetApproximateMemTableStats({"00002000", "00008000"}, &count, &bytes);
  EXPECT_GT(count, 2000u);
  EXPECT_GT(bytes, count * 8);
  db->GetApproximateMemTableStats({"1", "2"}, &count, &bytes);
  EXPECT_EQ(count, 0u);
}

// RocksDB samples a memtable to tell whether most of it is garbage that need not be flushed.
TEST(MemtableRepTest, AMemtableIsPurgedOfWhatWasOverwritten) {
  const TemporaryDirectory directory;
  rocksdb::Options options = OurOptions();
  options.write_buffer_size = 64 << 10;
  options.experimental_mempurge_threshold = 1.0;
  const auto db = Open(options, directory / "db");
  for (int i = 0; i < 4000; ++i) {
    ASSERT_TRUE(db->Put({}, fmt::format("key{}", i % 5), fmt::format("{:0200}", i)).ok());
  }
  for (int i = 3995; i < 4000; ++i) {
    EXPECT_EQ(Get(*db, fmt::format("key{}", i % 5), nullptr), fmt::format("{:0200}", i));
  }
}

class Comparator final : public MemTableRep::KeyComparator {
 public:
  explicit Comparator(bool reverse) : reverse_(reverse) {}

  int operator()(const char* a, const char* b) const override { return (*this)(a, decode_key(b)); }
  int operator()(const char* a, const Slice& b) const override {
    const Slice other = decode_key(a);
    const Slice user_key(b.data(), b.size() - 8);
    const int order = Slice(other.data(), other.size() - 8).compare(user_key);
    if (order != 0) return reverse_ ? -order : order;
    return -std::memcmp(other.data() + user_key.size(), b.data() + user_key.size(), 8);
  }

 private:
  const bool reverse_;
};

// With an arena RocksDB calls an iterator's destructor, else it deletes it: both free all of it.
TEST(MemtableRepTest, IteratorsGoBothWays) {
  const Comparator comparator(/*reverse=*/false);
  const std::unique_ptr<MemTableRep> rep(
      MakeMemtableFactory()->CreateMemTableRep(comparator, nullptr, nullptr, nullptr));
  MemTableRep::Iterator* it = rep->GetIterator(nullptr);
  it->SeekToFirst();
  EXPECT_FALSE(it->Valid());
  delete it;
  it = rep->GetIterator(nullptr);
  it->SeekToLast();
  EXPECT_FALSE(it->Valid());
  it->~Iterator();
}

TEST(MemtableRepDeathTest, AnotherOrderIsRefused) {
  const Comparator comparator(/*reverse=*/true);
  const auto factory = MakeMemtableFactory();
  EXPECT_DEATH(factory->CreateMemTableRep(comparator, nullptr, nullptr, nullptr), "OrdersBytewise");
}

}  // namespace
}  // namespace orrery::storage
