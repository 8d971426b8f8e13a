#include "storage/rados/file/file_writer.h"

#include <gtest/gtest.h>

#include <thread>

#include "storage/rados/rados_testing.h"

namespace orrery::storage::rados {
namespace {

class FileWriterTest : public testing::Test {
 protected:
  std::string Stripe(uint32_t stripe) {
    return store_.Read(StripeObject(entry_.id, stripe), 0, 1'000).value_or("<none>");
  }
  static Code CodeOf(const Status& status) {
    return status.has_value() ? Code::kInternal : status.error().code();
  }

  const FileId id_{.directory = DirectoryId(9), .epoch = DirectoryEpoch(4), .number = 1};
  const FileEntry entry_{.id = id_, .tag = id_, .stripe_bytes = 100};
  TestCluster cluster_;
  MemoryStore store_{cluster_.cluster};
  int confirmed_ = 0;
  Status confirmation_;
  const std::shared_ptr<FileWriter> writer_ = std::make_shared<FileWriter>(store_, entry_, [this] {
    ++confirmed_;
    return confirmation_;
  });
};

TEST_F(FileWriterTest, ASyncIsOneWrite) {
  ASSERT_TRUE(writer_->Append("one").has_value());
  EXPECT_EQ(store_.calls(), 0u) << "appending costs none";
  ASSERT_TRUE(writer_->Sync().has_value());
  EXPECT_EQ(store_.calls(), 1u);
  ASSERT_TRUE(writer_->Append("two").has_value());
  ASSERT_TRUE(writer_->Append("three").has_value());
  ASSERT_TRUE(writer_->Sync().has_value());
  EXPECT_EQ(store_.calls(), 2u);
  ASSERT_TRUE(writer_->Sync().has_value());
  EXPECT_EQ(store_.calls(), 2u) << "nothing to store";
  EXPECT_EQ(Stripe(0), "onetwothree");
}

TEST_F(FileWriterTest, FullStripesAreStoredWhileItIsAppendedTo) {
  const std::string bytes(1'050, 'x');
  ASSERT_TRUE(writer_->Append(bytes).has_value());
  EXPECT_EQ(writer_->size(), 1'050u);
  ASSERT_TRUE(writer_->Sync().has_value());
  EXPECT_EQ(writer_->stored(), 1'050u);
  EXPECT_EQ(Stripe(9), std::string(100, 'x'));
  EXPECT_EQ(Stripe(10), std::string(50, 'x'));
  EXPECT_EQ(store_.calls(ObjectCall::kWrite), 11u);
}

TEST_F(FileWriterTest, NewStripesAreConfirmedBeforeTheyArePromised) {
  ASSERT_TRUE(writer_->Append("x").has_value());
  ASSERT_TRUE(writer_->Sync().has_value());
  EXPECT_EQ(confirmed_, 1);
  ASSERT_TRUE(writer_->Append("y").has_value());
  ASSERT_TRUE(writer_->Sync().has_value());
  EXPECT_EQ(confirmed_, 1) << "the stripe's own guard tells";
  ASSERT_TRUE(writer_->Append(std::string(120, 'z')).has_value());
  confirmation_ = Fail(Code::kFenced, "taken");
  EXPECT_EQ(CodeOf(writer_->Sync()), Code::kFenced);
  EXPECT_EQ(confirmed_, 2);
  confirmation_ = {};
  EXPECT_EQ(CodeOf(writer_->Sync()), Code::kFenced) << "for good";
}

// A stripe that is made while an earlier one is confirmed is asked about by itself.
TEST_F(FileWriterTest, AStripeIsConfirmedAfterItIsThere) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    TestCluster cluster;
    MemoryStore store(cluster.cluster, seed);
    size_t there = 0;
    const auto writer = std::make_shared<FileWriter>(store, entry_, [&]() -> Status {
      there = cluster.cluster.Names().size();
      return {};
    });
    store.Stop();
    ASSERT_TRUE(writer->Append(std::string(50, 'a')).has_value());
    Status first;
    std::thread syncing([&] { first = writer->Sync(); });
    store.AwaitWaiting(1);
    ASSERT_TRUE(writer->Append(std::string(50, 'b')).has_value());
    ASSERT_TRUE(writer->Append(std::string(100, 'c')).has_value());
    // The first stripe's bytes, then maybe those of the second.
    while (writer->stored() == 0) store.Step(1);
    syncing.join();
    ASSERT_TRUE(first.has_value());
    store.Continue();
    ASSERT_TRUE(writer->Sync().has_value());
    EXPECT_EQ(there, 2u);
  }
}

TEST_F(FileWriterTest, ErrorsStay) {
  store_.FaultAfter(0, ObjectFault::kLostAnswer);
  ASSERT_TRUE(writer_->Append("x").has_value());
  EXPECT_EQ(CodeOf(writer_->Sync()), Code::kUnavailable);
  EXPECT_EQ(CodeOf(writer_->Sync()), Code::kUnavailable);
  EXPECT_EQ(CodeOf(writer_->Append("y")), Code::kUnavailable);
  EXPECT_EQ(writer_->stored(), 0u);
}

TEST_F(FileWriterTest, AFullPoolIsToldFromOtherErrors) {
  cluster_.cluster.SetBytesMax(0);
  ASSERT_TRUE(writer_->Append("x").has_value());
  EXPECT_EQ(CodeOf(writer_->Sync()), Code::kResourceExhausted);
}

TEST_F(FileWriterTest, AStripeWithAnotherEpochRefuses) {
  ASSERT_TRUE(writer_->Append("x").has_value());
  ASSERT_TRUE(writer_->Sync().has_value());
  ASSERT_TRUE(store_.Apply(StripeObject(id_, 0), ObjectWrite().SetAttribute(kEpochAttribute, "5"))
                  .has_value());
  ASSERT_TRUE(writer_->Append("y").has_value());
  EXPECT_EQ(CodeOf(writer_->Sync()), Code::kFenced);
  EXPECT_EQ(Stripe(0), "x");
}

TEST_F(FileWriterTest, WhatIsNotStoredIsReadFromIt) {
  ASSERT_TRUE(writer_->Append(std::string(90, 'a')).has_value());
  ASSERT_TRUE(writer_->Sync().has_value());
  store_.Stop();
  ASSERT_TRUE(writer_->Append(std::string(30, 'b')).has_value());
  const FileWriter::Tail tail = writer_->Look(85, 25);
  EXPECT_EQ(tail.size, 120u);
  EXPECT_EQ(tail.stored, 90u);
  EXPECT_EQ(tail.bytes, std::string(20, 'b'));
  store_.Continue();
  ASSERT_TRUE(writer_->Sync().has_value());
}

TEST_F(FileWriterTest, AppendsWhileASyncWaits) {
  store_.Stop();
  ASSERT_TRUE(writer_->Append("one").has_value());
  Status synced = Fail(Code::kInternal, "not yet");
  std::thread syncing([&] { synced = writer_->Sync(); });
  store_.AwaitWaiting(1);
  ASSERT_TRUE(writer_->Append("two").has_value());
  EXPECT_EQ(store_.waiting(), 1u);
  store_.Continue();
  syncing.join();
  EXPECT_TRUE(synced.has_value());
  EXPECT_EQ(Stripe(0), "one");
  ASSERT_TRUE(writer_->Sync().has_value());
  EXPECT_EQ(Stripe(0), "onetwo");
}

TEST_F(FileWriterTest, SyncsThatWaitShareTheNextWrite) {
  store_.Stop();
  ASSERT_TRUE(writer_->Append("1").has_value());
  std::vector<std::thread> syncing;
  syncing.emplace_back([this] { EXPECT_TRUE(writer_->Sync().has_value()); });
  store_.AwaitWaiting(1);
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(writer_->Append("2").has_value());
    syncing.emplace_back([this] { EXPECT_TRUE(writer_->Sync().has_value()); });
  }
  store_.Continue();
  for (std::thread& thread : syncing) thread.join();
  EXPECT_EQ(Stripe(0), "12222");
  EXPECT_LE(store_.calls(ObjectCall::kWrite), 5u);
}

TEST_F(FileWriterTest, TruncationCutsStripes) {
  ASSERT_TRUE(writer_->Append(std::string(350, 'x')).has_value());
  for (const uint64_t bytes : {uint64_t{320}, uint64_t{200}, uint64_t{50}, uint64_t{0}}) {
    ASSERT_TRUE(writer_->Truncate(bytes).has_value());
    EXPECT_EQ(writer_->size(), bytes);
    EXPECT_EQ(MeasureFile(store_, entry_), bytes);
  }
  ASSERT_TRUE(writer_->Append("again").has_value());
  ASSERT_TRUE(writer_->Truncate(7).has_value());
  ASSERT_TRUE(writer_->Sync().has_value());
  EXPECT_EQ(Stripe(0), std::string("again\0\0", 7));
  EXPECT_EQ(cluster_.cluster.Names().size(), 1u);
}

}  // namespace
}  // namespace orrery::storage::rados
