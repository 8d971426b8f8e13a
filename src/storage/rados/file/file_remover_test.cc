#include "storage/rados/file/file_remover.h"

#include <gtest/gtest.h>

#include "storage/rados/file/link_tags.h"
#include "storage/rados/rados_testing.h"

namespace orrery::storage::rados {
namespace {

class FileRemoverTest : public testing::Test {
 protected:
  FileRemoverTest() {
    for (uint32_t i = 0; i < 3; ++i) {
      ObjectWrite write;
      write.Write(0, "x");
      if (i == 0) write.SetAttribute(kLinksAttribute, EncodeLinks({file_.tag}));
      EXPECT_TRUE(store_.Apply(StripeObject(file_.id, i), std::move(write)).has_value());
    }
  }
  size_t Objects() const { return cluster_.cluster.Names().size(); }

  const FileId id_{.directory = DirectoryId(9), .epoch = DirectoryEpoch(1), .number = 5};
  const FileEntry file_{.id = id_, .tag = id_, .stripe_bytes = 100, .closed = true, .bytes = 201};
  TestCluster cluster_;
  MemoryStore store_{cluster_.cluster};
  FileRemover remover_{store_};
};

TEST_F(FileRemoverTest, RemovesAllStripes) {
  remover_.Unlink(file_);
  remover_.Wait();
  EXPECT_EQ(Objects(), 0u);
}

TEST_F(FileRemoverTest, RemovesWhatWasNeverClosed) {
  FileEntry open = file_;
  open.closed = false;
  remover_.Unlink(open);
  remover_.Wait();
  EXPECT_EQ(Objects(), 0u);
}

TEST_F(FileRemoverTest, WaitsForTheLastHold) {
  auto one = std::make_unique<FileRemover::Hold>(remover_, id_);
  auto two = std::make_unique<FileRemover::Hold>(remover_, id_);
  remover_.Unlink(file_);
  one.reset();
  remover_.Wait();
  EXPECT_TRUE(remover_.Holds(id_));
  EXPECT_EQ(Objects(), 3u);
  two.reset();
  remover_.Wait();
  EXPECT_FALSE(remover_.Holds(id_));
  EXPECT_EQ(Objects(), 0u);
}

TEST_F(FileRemoverTest, LeavesWhatOthersLink) {
  const LinkTag other{.directory = DirectoryId(8), .epoch = DirectoryEpoch(1), .number = 1};
  ASSERT_TRUE(AddLink(store_, file_, other).has_value());
  remover_.Unlink(file_);
  remover_.Wait();
  EXPECT_EQ(Objects(), 3u);
  EXPECT_EQ(*ReadLinks(store_, id_), std::set<LinkTag>{other});
}

TEST_F(FileRemoverTest, LeavesWhatFailsToTheCollectionOfGarbage) {
  store_.FaultAfter(0, ObjectFault::kLostRequest);
  remover_.Unlink(file_);
  remover_.Wait();
  EXPECT_EQ(Objects(), 3u);
}

}  // namespace
}  // namespace orrery::storage::rados
