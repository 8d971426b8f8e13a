#include "sql/document_maker.h"

#include <gtest/gtest.h>

namespace orrery::bench {
namespace {

TEST(DocumentMakerTest, DocumentsFollowFromTheirNumbers) {
  std::string one, two;
  DocumentMaker(5).AppendDocument(1'234, one);
  DocumentMaker(5).AppendDocument(1'234, two);
  EXPECT_EQ(one, two);
  const std::string before =
      R"({"id":"doc-000000001234","pk":"part-0000000012","number":1234,"shelf":123,"value":")";
  EXPECT_EQ(one.substr(0, before.size()), before);
  EXPECT_EQ(one.size(), before.size() + 5 + 2);
}

TEST(DocumentMakerTest, AShelfIsInOneLogicalPartition) {
  for (const uint64_t shelf : {0u, 9u, 10u, 123u}) {
    const uint64_t first = shelf * DocumentMaker::kOfOneShelf;
    const uint64_t last = first + DocumentMaker::kOfOneShelf - 1;
    EXPECT_EQ(DocumentMaker::ShelfOf(first), DocumentMaker::ShelfOf(last));
    EXPECT_EQ(DocumentMaker::PartitionKeyOf(first), DocumentMaker::PartitionKeyOf(last));
  }
}

}  // namespace
}  // namespace orrery::bench
