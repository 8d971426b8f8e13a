#include "query/source/cancellable_source.h"

#include <gtest/gtest.h>

#include <memory>

namespace orrery::query {
namespace {

// Documents without end, or so many.
class CountedDocuments final : public DocumentSource {
 public:
  explicit CountedDocuments(int count) : count_(count) {}
  Result<bool> Next() override {
    if (given_ == count_) return false;
    ++given_;
    return true;
  }
  bool exhausted() const override { return given_ == count_; }
  const model::Value& document() const override { return kUndefinedDocument; }
  std::string_view key() const override { return "key"; }
  std::string Position(Resume) const override { return std::to_string(given_); }

 private:
  static inline const model::Value kUndefinedDocument;
  const int count_;
  int given_ = 0;
};

class CancellableSourceTest : public ::testing::Test {
 protected:
  CancellableSourceTest() {
    context_.set_cut_from(clock_.Monotonic() + Micros(100));
    context_.set_deadline(clock_.Monotonic() + Micros(200));
  }

  ManualClock clock_;
  RequestContext context_{std::make_shared<RequestOrigin>(clock_)};
};

TEST_F(CancellableSourceTest, PausesBetweenTwoDocumentsWhenItIsLate) {
  CountedDocuments counted(10);
  CancellableSource source(counted, context_, /*may_pause=*/true);
  clock_.Advance(Micros(150));
  EXPECT_TRUE(source.Next().value());  // one at least
  EXPECT_FALSE(source.Next().value());
  EXPECT_TRUE(source.paused());
  EXPECT_EQ(source.Position(DocumentSource::Resume::kBehind), "1");
}

TEST_F(CancellableSourceTest, IsNotPausedAtItsEnd) {
  CountedDocuments counted(1);
  CancellableSource source(counted, context_, /*may_pause=*/true);
  clock_.Advance(Micros(150));
  EXPECT_TRUE(source.Next().value());
  EXPECT_FALSE(source.Next().value());
  EXPECT_FALSE(source.paused());
}

TEST_F(CancellableSourceTest, GoesOnWhereItMayNotPauseUntilItsDeadline) {
  CountedDocuments counted(10);
  CancellableSource source(counted, context_);
  clock_.Advance(Micros(150));
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(source.Next().value());
  clock_.Advance(Micros(100));
  EXPECT_EQ(source.Next().error().code(), Code::kCancelled);
}

}  // namespace
}  // namespace orrery::query
