#include "model/path/path.h"

#include <gtest/gtest.h>

#include "model/document/json.h"
#include "model/path/path_syntax.h"

namespace orrery::model {
namespace {

TEST(PathTest, ParsesAndPrintsBack) {
  for (const char* text :
       {"/a", "/a/b/c", "/list/0/x", "/\"a/b\"/c", "/\"*\"", "/\"say \\\"hi\\\" /\"", "/"}) {
    const Result<Path> path = Path::Parse(text);
    ASSERT_TRUE(path.has_value()) << path.error().message();
    EXPECT_EQ(path->ToString(), text);
  }
  EXPECT_EQ(Path::Parse("/\"plain\"")->ToString(), "/plain");
  EXPECT_EQ(Path::Parse(R"(/"say \"hi\"")")->steps().front(), R"(say "hi")");
  EXPECT_EQ(Path::Parse(R"(/'say "hi"'/'a/b')")->ToString(), R"(/say "hi"/"a/b")");
  EXPECT_EQ(Path::Parse(R"(/"'x'")")->ToString(), R"(/"'x'")");
}

TEST(PathTest, ErrorsNameThePosition) {
  const auto message = [](std::string_view text) { return Path::Parse(text).error().message(); };
  EXPECT_NE(message("a/b").find("position 0"), std::string::npos);
  EXPECT_NE(message("/a//b").find("position 3"), std::string::npos);
  EXPECT_NE(message("/a/").find("position 3"), std::string::npos);
  EXPECT_NE(message("/a/\"b").find("position 3"), std::string::npos);
  EXPECT_NE(message("/\"a\"b").find("position 4"), std::string::npos);
  EXPECT_NE(message("/a/*").find("wildcard"), std::string::npos);
  EXPECT_FALSE(Path::Parse(std::string_view("/a\0", 3)).has_value());
  std::string long_path;
  for (size_t i = 0; i <= kPathStepsMax; ++i) long_path += "/a";
  EXPECT_FALSE(Path::Parse(long_path).has_value());
}

TEST(PathTest, Pointers) {
  EXPECT_EQ(Path::FromPointer("/a~1b/~0/0")->steps(), (std::vector<std::string>{"a/b", "~", "0"}));
  EXPECT_TRUE(Path::FromPointer("")->steps().empty());
  EXPECT_FALSE(Path::FromPointer("a").has_value());
  EXPECT_FALSE(Path::FromPointer("/a~").has_value());
  EXPECT_FALSE(Path::FromPointer("/a~2").has_value());
}

TEST(PathTest, FindsValues) {
  const Document document = *ParseJson(R"({"a":{"b":[10,{"c":"x"}]},"n":null})");
  const auto get = [&](std::string_view path) { return Path::Parse(path)->Get(document); };
  EXPECT_EQ(get("/a/b/0"), Value::Int32(10));
  EXPECT_EQ(get("/a/b/1/c"), Value::String("x"));
  EXPECT_EQ(get("/n"), Value::Null());
  EXPECT_TRUE(get("/a/b/2").is_undefined());
  EXPECT_TRUE(get("/n/x").is_undefined());
  EXPECT_TRUE(get("/missing").is_undefined());
  EXPECT_EQ(get("/").AsFields().size(), 2U);
}

TEST(PathTest, Contains) {
  const Path a = *Path::Parse("/a");
  const Path ab = *Path::Parse("/a/b");
  EXPECT_TRUE(a.Contains(ab));
  EXPECT_TRUE(a.Contains(a));
  EXPECT_FALSE(ab.Contains(a));
}

}  // namespace
}  // namespace orrery::model
