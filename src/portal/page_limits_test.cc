#include "portal/page_limits.h"

#include <gtest/gtest.h>

namespace orrery::portal {
namespace {

TEST(PageLimits, AreBounded) {
  EXPECT_EQ(PageLimitsFrom(std::nullopt)->items_max, item::PageLimits().items_max);
  EXPECT_EQ(PageLimitsFrom(1)->items_max, 1u);
  EXPECT_EQ(PageLimitsFrom(kPageItemsMax)->items_max, static_cast<size_t>(kPageItemsMax));
  for (const int64_t wrong : {int64_t{0}, int64_t{-1}, kPageItemsMax + 1, INT64_MAX}) {
    EXPECT_EQ(PageLimitsFrom(wrong).error().code(), Code::kInvalidArgument) << wrong;
  }
}

}  // namespace
}  // namespace orrery::portal
