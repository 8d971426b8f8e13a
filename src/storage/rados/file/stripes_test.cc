#include "storage/rados/file/stripes.h"

#include <gtest/gtest.h>

#include "storage/rados/rados_testing.h"

namespace orrery::storage::rados {
namespace {

class StripesTest : public testing::Test {
 protected:
  void Put(uint32_t stripe, size_t bytes) {
    ASSERT_TRUE(
        store_
            .Apply(
                StripeObject(file_.id, stripe),
                ObjectWrite().Write(0, std::string(bytes, 'x')).SetAttribute(kEpochAttribute, "1"))
            .has_value());
  }
  std::string EpochOf(uint32_t stripe) {
    const auto attributes = store_.Attributes(StripeObject(file_.id, stripe));
    return attributes.has_value() ? attributes->at(kEpochAttribute) : "<none>";
  }

  const FileEntry file_{
      .id = {.directory = DirectoryId(9), .epoch = DirectoryEpoch(1), .number = 5},
      .tag = {},
      .stripe_bytes = 100};
  TestCluster cluster_;
  MemoryStore store_{cluster_.cluster};
};

TEST_F(StripesTest, AFileEndsWhereItsFirstStripeThatIsNotFullEnds) {
  EXPECT_EQ(MeasureFile(store_, file_), 0u);
  Put(0, 40);
  EXPECT_EQ(MeasureFile(store_, file_), 40u);
  Put(0, 100);
  EXPECT_EQ(MeasureFile(store_, file_), 100u);
  Put(1, 100);
  Put(2, 30);
  Put(3, 100);  // the writer crashed before it had filled the one before
  EXPECT_EQ(MeasureFile(store_, file_), 230u);
  EXPECT_EQ(SealFile(store_, file_, DirectoryEpoch(2)), 230u);
}

TEST_F(StripesTest, LongFilesAreMeasuredToTheirEnd) {
  for (const uint32_t stripes : {7U, 8U, 9U, 16U, 17U}) {
    for (uint32_t i = 0; i < stripes; ++i) Put(i, 100);
    EXPECT_EQ(MeasureFile(store_, file_), stripes * 100u);
    EXPECT_EQ(SealFile(store_, file_, DirectoryEpoch(2)), stripes * 100u);
    for (uint32_t i = 0; i < stripes; ++i) EXPECT_EQ(EpochOf(i), "2");
  }
}

TEST_F(StripesTest, WhatIsSealedIsOutOfReach) {
  Put(0, 100);
  Put(1, 10);
  ASSERT_EQ(SealFile(store_, file_, DirectoryEpoch(2)), 110u);
  const Status late =
      store_.Apply(StripeObject(file_.id, 1),
                   ObjectWrite().RequireAttribute(kEpochAttribute, "1").Write(10, "late"));
  EXPECT_EQ(late.error().code(), Code::kPreconditionFailed);
  EXPECT_EQ(EpochOf(2), "<none>") << "sealing makes no stripes";
}

TEST_F(StripesTest, RemovalFindsAllThatAWriterCanHaveLeft) {
  for (const uint32_t stripe : {1U, 2U, 4U, 7U, 11U, 15U}) Put(stripe, 10);
  ASSERT_TRUE(RemoveStripes(store_, file_.id, std::nullopt).has_value());
  EXPECT_TRUE(cluster_.cluster.Names().empty());
  for (uint32_t i = 1; i < 20; ++i) Put(i, 10);
  ASSERT_TRUE(RemoveStripes(store_, file_.id, 12).has_value());
  EXPECT_EQ(cluster_.cluster.Names().size(), 8u) << "those beyond are not its";
}

TEST_F(StripesTest, AnswersThatDoNotComeAreErrors) {
  Put(0, 100);
  store_.FaultAfter(0, ObjectFault::kLostAnswer);
  EXPECT_EQ(SealFile(store_, file_, DirectoryEpoch(2)).error().code(), Code::kUnavailable);
  store_.Crash();
  EXPECT_EQ(MeasureFile(store_, file_).error().code(), Code::kUnavailable);
}

}  // namespace
}  // namespace orrery::storage::rados
