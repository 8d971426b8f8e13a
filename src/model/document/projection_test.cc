#include "model/document/projection.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>

#include "model/document/document_builder.h"
#include "model/document/json.h"
#include "model/value_generator.h"

namespace orrery::model {
namespace {

Projection ProjectionOf(std::initializer_list<std::string_view> paths) {
  std::vector<Path> parsed;
  for (const std::string_view path : paths) parsed.push_back(*Path::Parse(path));
  return Projection(std::move(parsed));
}

TEST(Projection, CopiesWhatPathsLeadTo) {
  const Document document =
      *ParseJson(R"({"a":1,"o":{"x":{"y":2,"z":3},"w":4},"l":[{"m":1,"n":2}],"s":"text","e":{}})");
  const auto copy = [&](std::initializer_list<std::string_view> paths) {
    const Document copied = ProjectionOf(paths).Apply(document);
    EXPECT_TRUE(DocumentView::FromBson(copied.bson()).has_value());
    return ToJson(copied.view().ToObject());
  };
  EXPECT_EQ(copy({}), "{}");
  EXPECT_EQ(copy({"/nothing", "/a/b"}), "{}");
  EXPECT_EQ(copy({"/s", "/a"}), R"({"a":1,"s":"text"})");
  EXPECT_EQ(copy({"/o/x/y"}), R"({"o":{"x":{"y":2}}})");
  EXPECT_EQ(copy({"/o/x/y", "/o/w"}), R"({"o":{"x":{"y":2},"w":4}})");
  EXPECT_EQ(copy({"/o/x/y", "/o/x"}), R"({"o":{"x":{"y":2,"z":3}}})");
  EXPECT_EQ(copy({"/o", "/o/x/y"}), R"({"o":{"x":{"y":2,"z":3},"w":4}})");
  EXPECT_EQ(copy({"/l/m"}), R"({"l":[{"m":1,"n":2}]})");
  EXPECT_EQ(copy({"/e/x"}), R"({"e":{}})");
}

// At every path that was asked for there is the same as before.
TEST(Projection, KeepsValuesAtItsPaths) {
  ValueGenerator generator(3);
  for (int i = 0; i < 2'000; ++i) {
    Fields fields;
    for (const char* name : {"a", "b", "c"}) fields.push_back({name, generator.Any()});
    const Document document = ToDocument(Value::Object(std::move(fields)));
    std::vector<Path> paths;
    for (uint64_t n = generator.Below(4); n > 0; --n) {
      std::vector<std::string> steps;
      for (uint64_t m = 1 + generator.Below(3); m > 0; --m)
        steps.push_back(std::string(1, static_cast<char>('a' + generator.Below(3))));
      paths.emplace_back(std::move(steps));
    }
    const Document copied = Projection(paths).Apply(document);
    ASSERT_TRUE(DocumentView::FromBson(copied.bson()).has_value());
    for (const Path& path : paths) EXPECT_EQ(path.Get(copied), path.Get(document));
  }
}

}  // namespace
}  // namespace orrery::model
