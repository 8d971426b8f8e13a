#include "model/path/path_pattern.h"

#include <gtest/gtest.h>

namespace orrery::model {
namespace {

PathPattern Pattern(std::string_view text) {
  Result<PathPattern> pattern = PathPattern::Parse(text);
  EXPECT_TRUE(pattern.has_value()) << text;
  return *pattern;
}

const PathStep kA = PathStep::Field("a");
const PathStep kB = PathStep::Field("b");
const PathStep kElement = PathStep::Element();
using Place = std::vector<PathStep>;

TEST(PathPatternTest, ParsesAndPrintsBack) {
  for (const char* text :
       {"/a/b/?", "/a/[]/b/*", "/\"a/b\"/?", "/*", "/\"[]\"/?", "/*/b/?", "/a/*/*", "/\"*\"/?"}) {
    EXPECT_EQ(Pattern(text).ToString(), text);
  }
  for (const char* text : {"", "/", "/a", "/?", "/a/?/b/?", "/a//?", "a/?", "/a/?/?"}) {
    EXPECT_FALSE(PathPattern::Parse(text).has_value()) << text;
  }
}

TEST(PathPatternTest, ExactAndSubtree) {
  EXPECT_TRUE(Pattern("/a/?").Matches(Place{kA}));
  EXPECT_FALSE(Pattern("/a/?").Matches(Place{kA, kB}));
  EXPECT_TRUE(Pattern("/a/*").Matches(Place{kA}));
  EXPECT_TRUE(Pattern("/a/*").Matches(Place{kA, kB}));
  EXPECT_TRUE(Pattern("/*").Matches(Place{}));
  EXPECT_TRUE(Pattern("/a/[]/b/?").Matches(Place{kA, kElement, kB}));
  EXPECT_FALSE(Pattern("/a/[]/b/?").Matches(Place{kA, PathStep::Field(""), kB}));
}

TEST(PathPatternTest, AWildcardWithinThePathIsAnyField) {
  EXPECT_TRUE(Pattern("/*/b/?").Matches(Place{kA, kB}));
  EXPECT_TRUE(Pattern("/*/b/?").Matches(Place{kB, kB}));
  EXPECT_FALSE(Pattern("/*/b/?").Matches(Place{kA, kA}));
  EXPECT_FALSE(Pattern("/*/b/?").Matches(Place{kA, kB, kB}));
  EXPECT_FALSE(Pattern("/*/b/?").Matches(Place{kElement, kB}));
  EXPECT_TRUE(Pattern("/*/?").Matches(Place{kA}));
  EXPECT_FALSE(Pattern("/*/?").Matches(Place{kA, kB}));
  EXPECT_TRUE(Pattern("/*/*").Matches(Place{kA, kB}));
  EXPECT_FALSE(Pattern("/\"*\"/?").Matches(Place{kA}));
  EXPECT_TRUE(Pattern("/*/b/?").CanMatchBelow(Place{kA}));
  EXPECT_FALSE(Pattern("/*/b/?").CanMatchBelow(Place{kElement}));
  EXPECT_EQ(Pattern("/*/b/?").ExactFields(), std::nullopt);
}

TEST(PathPatternTest, KnowsWhatCanMatchBelow) {
  EXPECT_TRUE(Pattern("/a/b/?").CanMatchBelow(Place{}));
  EXPECT_TRUE(Pattern("/a/b/?").CanMatchBelow(Place{kA}));
  EXPECT_FALSE(Pattern("/a/b/?").CanMatchBelow(Place{kB}));
  EXPECT_FALSE(Pattern("/a/?").CanMatchBelow(Place{kA, kB}));
  EXPECT_TRUE(Pattern("/a/*").CanMatchBelow(Place{kA, kB}));
}

TEST(PathPatternTest, TheMostPreciseDecides) {
  const std::vector<PathPattern> patterns = {Pattern("/*"), Pattern("/a/*"), Pattern("/a/b/*"),
                                             Pattern("/a/b/?")};
  EXPECT_EQ(MostPrecise(patterns, Place{kB}), &patterns[0]);
  EXPECT_EQ(MostPrecise(patterns, Place{kA, kA}), &patterns[1]);
  EXPECT_EQ(MostPrecise(patterns, Place{kA, kB, kA}), &patterns[2]);
  EXPECT_EQ(MostPrecise(patterns, Place{kA, kB}), &patterns[3]);
  EXPECT_EQ(MostPrecise({}, Place{kA}), nullptr);
  // A name beats a wildcard, whichever comes first.
  const std::vector<PathPattern> named = {Pattern("/*/?"), Pattern("/a/?"), Pattern("/*"),
                                          Pattern("/a/*")};
  EXPECT_EQ(MostPrecise(named, Place{kA}), &named[1]);
  EXPECT_EQ(MostPrecise(named, Place{kB}), &named[0]);
  EXPECT_EQ(MostPrecise(named, Place{kB, kB}), &named[2]);
  EXPECT_EQ(MostPrecise(std::span(named).last(2), Place{kA}), &named[3]);
}

}  // namespace
}  // namespace orrery::model
