#include "api/mongo/executor/write/capped_ring.h"

#include <gtest/gtest.h>

#include "model/document/document_builder.h"

namespace orrery::mongo {
namespace {

TEST(CappedRing, ReceiptsAreReadAsTheyWereWritten) {
  const RingState ring{.next = 258, .documents = 3, .bytes = int64_t{1} << 40};
  const item::Receipt receipt = ring.ToReceipt();
  EXPECT_EQ(receipt.name, kRingReceipt);
  const auto read = RingState::Read(receipt.bytes);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->next, 258);
  EXPECT_EQ(read->documents, 3);
  EXPECT_EQ(read->bytes, int64_t{1} << 40);
}

TEST(CappedRing, RefusesOtherBytes) {
  std::string bytes = RingState().ToReceipt().bytes;
  EXPECT_FALSE(RingState::Read("").has_value());
  EXPECT_FALSE(RingState::Read(bytes + "x").has_value());
  bytes.front() = 2;
  EXPECT_FALSE(RingState::Read(bytes).has_value());
}

TEST(CappedRing, EitherLimitIsEnough) {
  RingState ring;
  ring.Add(100);
  ring.Add(50);
  EXPECT_FALSE(ring.IsOver({.bytes_max = 150, .documents_max = 2}));
  EXPECT_TRUE(ring.IsOver({.bytes_max = 149, .documents_max = 2}));
  EXPECT_TRUE(ring.IsOver({.bytes_max = 150, .documents_max = 1}));
  ring.Remove(100);
  EXPECT_FALSE(ring.IsOver({.bytes_max = 50, .documents_max = 1}));
  ring.Remove(100);
  ring.Remove(1);
  EXPECT_EQ(ring.documents, 0);
  EXPECT_EQ(ring.bytes, 0);
}

TEST(CappedForm, TheNumberIsForNobodyElse) {
  model::DocumentBuilder builder;
  builder.AppendInt32("_id", 1).AppendString("$sequence", "a client's own");
  const model::Document document = std::move(builder).Finish();
  EXPECT_EQ(SequenceOf(document), 0);
  const model::Document stored = WithSequence(document, 77);
  EXPECT_EQ(SequenceOf(stored), 77);
  EXPECT_EQ(CappedSizeOf(stored), document.bson().size());
  EXPECT_EQ(ToMongoForm(stored, DocumentForm::kCapped), document);
  EXPECT_EQ(ToMongoForm(document, DocumentForm::kCapped), document);
}

TEST(CappedForm, SizesAreRounded) {
  EXPECT_EQ(RoundedCappedSize(1), 256);
  EXPECT_EQ(RoundedCappedSize(256), 256);
  EXPECT_EQ(RoundedCappedSize(257), 512);
  EXPECT_EQ(KeptCappedMax(0), INT32_MAX);
  EXPECT_EQ(KeptCappedMax(3), 3);
}

}  // namespace
}  // namespace orrery::mongo
