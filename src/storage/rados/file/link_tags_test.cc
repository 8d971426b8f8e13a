#include "storage/rados/file/link_tags.h"

#include <gtest/gtest.h>

#include <thread>

#include "storage/rados/rados_testing.h"

namespace orrery::storage::rados {
namespace {

class LinkTagsTest : public testing::Test {
 protected:
  static LinkTag Tag(uint32_t number) {
    return {.directory = DirectoryId(9), .epoch = DirectoryEpoch(1), .number = number};
  }
  LinkTagsTest() {
    EXPECT_TRUE(store_
                    .Apply(StripeObject(file_.id, 0),
                           ObjectWrite()
                               .Write(0, "bytes")
                               .SetAttribute(kLinksAttribute, EncodeLinks({file_.tag})))
                    .has_value());
  }

  const FileEntry file_{
      .id = Tag(1), .tag = Tag(1), .stripe_bytes = 100, .closed = true, .bytes = 5};
  TestCluster cluster_;
  MemoryStore store_{cluster_.cluster};
};

TEST_F(LinkTagsTest, TheLastOneTakesTheFileAlong) {
  ASSERT_TRUE(AddLink(store_, file_, Tag(2)).has_value());
  ASSERT_TRUE(AddLink(store_, file_, Tag(3)).has_value());
  EXPECT_EQ(ReadLinks(store_, file_.id)->size(), 3u);
  EXPECT_EQ(RemoveLink(store_, file_.id, Tag(1)), false);
  EXPECT_EQ(RemoveLink(store_, file_.id, Tag(1)), false) << "once more does no harm";
  EXPECT_EQ(RemoveLink(store_, file_.id, Tag(3)), false);
  EXPECT_EQ(RemoveLink(store_, file_.id, Tag(2)), true);
  EXPECT_TRUE(cluster_.cluster.Names().empty());
  EXPECT_EQ(RemoveLink(store_, file_.id, Tag(2)), true) << "gone already";
  EXPECT_EQ(AddLink(store_, file_, Tag(4)).error().code(), Code::kNotFound);
}

TEST_F(LinkTagsTest, AFirstLinkIsOneOperation) {
  const uint64_t before = store_.calls();
  ASSERT_TRUE(AddLink(store_, file_, Tag(2)).has_value());
  EXPECT_EQ(store_.calls() - before, 1u);
}

// Each of two clients links and unlinks; the file stays as long as anyone has it.
TEST_F(LinkTagsTest, LinksAtTheSameMomentDoNotLoseEachOther) {
  MemoryStore other(cluster_.cluster, 2);
  const auto work = [&](MemoryStore& store, uint32_t first) {
    for (uint32_t i = first; i < first + 50; ++i) {
      EXPECT_TRUE(AddLink(store, file_, Tag(i)).has_value());
      EXPECT_EQ(RemoveLink(store, file_.id, Tag(i)), false);
    }
  };
  std::thread second([&] { work(other, 1'000); });
  work(store_, 100);
  second.join();
  EXPECT_EQ(*ReadLinks(store_, file_.id), std::set<LinkTag>{file_.tag});
}

// One unlinks the last name while another links it: the link holds, or finds nothing.
TEST_F(LinkTagsTest, ALinkAndTheLastUnlinkSeeEachOther) {
  for (uint32_t round = 1; round <= 50; ++round) {
    FileEntry file = file_;
    file.id.number = file.tag.number = 10'000 + round;
    ASSERT_TRUE(store_
                    .Apply(StripeObject(file.id, 0), ObjectWrite().CreateFirst().SetAttribute(
                                                         kLinksAttribute, EncodeLinks({file.tag})))
                    .has_value());
    MemoryStore other(cluster_.cluster, round);
    Status linked;
    std::thread linking([&] { linked = AddLink(other, file, Tag(2)); });
    const Result<bool> last = RemoveLink(store_, file.id, file.tag);
    linking.join();
    ASSERT_TRUE(last.has_value());
    EXPECT_NE(*last, linked.has_value());
    EXPECT_EQ(store_.Stat(StripeObject(file.id, 0)).has_value(), linked.has_value());
  }
}

}  // namespace
}  // namespace orrery::storage::rados
