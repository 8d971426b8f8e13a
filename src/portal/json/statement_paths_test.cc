#include "portal/json/statement_paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace orrery::portal {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(StatementPaths, AreThoseThatAreEqualToAValue) {
  EXPECT_THAT(EqualPathsOf("SELECT * FROM c WHERE c.customer = ? AND c.n > ?"),
              ElementsAre("/customer"));
  EXPECT_THAT(EqualPathsOf("select value o.n from orders AS o where o.a.b=@x and o[\"c d\"] = ?"),
              ElementsAre("/a/b", "/c d"));
  EXPECT_THAT(EqualPathsOf("SELECT * FROM orders o WHERE o.a = ? ORDER BY o.b"),
              ElementsAre("/a"));
}

TEST(StatementPaths, AreNoneWhereNothingNeedHold) {
  EXPECT_THAT(EqualPathsOf("SELECT * FROM c WHERE c.a = ? OR c.b = ?"), IsEmpty());
  EXPECT_THAT(EqualPathsOf("SELECT * FROM c WHERE NOT (c.a = ?)"), IsEmpty());
  EXPECT_THAT(EqualPathsOf("SELECT * FROM c WHERE c.a >= ? AND c.b != ? AND c.d = c.e"),
              IsEmpty());
  EXPECT_THAT(EqualPathsOf("SELECT * FROM c JOIN t IN c.tags WHERE t.a = ?"), IsEmpty());
  EXPECT_THAT(EqualPathsOf("SELECT * FROM c"), IsEmpty());
  EXPECT_THAT(EqualPathsOf("(read item)"), IsEmpty());
  EXPECT_THAT(EqualPathsOf("FROM WHERE"), IsEmpty());
  EXPECT_THAT(EqualPathsOf("SELECT * FROM c WHERE c"), IsEmpty());
  EXPECT_THAT(EqualPathsOf(""), IsEmpty());
}

}  // namespace
}  // namespace orrery::portal
