#include "cli/seed/text/yaml_reader.h"

#include <gtest/gtest.h>

#include "model/document/json.h"

namespace orrery::cli {
namespace {

std::string Json(std::string_view yaml) {
  const auto node = ReadYaml(yaml);
  return node.has_value() ? model::ToJson(node->ToValue()) : node.error().message();
}

TEST(YamlReader, ReadsMappingsAndSequences) {
  EXPECT_EQ(Json("a: 1\nb:\n  c: text here\n  d: [1, 2.5, true, null, ~]\n"),
            R"({"a":1,"b":{"c":"text here","d":[1,2.5,true,null,null]}})");
  EXPECT_EQ(Json("- a\n- b: 1\n  c: 2\n-\n  - x\n- - y\n  - z\n"),
            R"(["a",{"b":1,"c":2},["x"],["y","z"]])");
  EXPECT_EQ(Json("k:\n- 1\n- 2\nl: 3"), R"({"k":[1,2],"l":3})");
  EXPECT_EQ(Json("---\na: {b: [c, \"d, e\"], 'f g': }\n...\n"),
            R"({"a":{"b":["c","d, e"],"f g":null}})");
  EXPECT_EQ(Json("{\"a\": [1,\n  {\"b\": \"x\"}\n ],\n \"c\": \"\\u00e4\\n\"}"),
            R"({"a":[1,{"b":"x"}],"c":"ä\n"})");
  EXPECT_EQ(Json(""), "null");
}

TEST(YamlReader, TypesPlainScalarsAlone) {
  EXPECT_EQ(Json("[1, '1', 007, 1e3, -5, 0x10, yes, nan, /path/*, a#b, 12345678901]"),
            R"([1,"1",7,1000,-5,"0x10","yes","nan","/path/*","a#b",12345678901])");
  EXPECT_EQ(Json("a: it's # a comment\n# another\nb: 'it''s'"), R"({"a":"it's","b":"it's"})");
}

TEST(YamlReader, ReadsBlockScalars) {
  EXPECT_EQ(Json("a: |\n  one\n    two\n\n  three\nb: |-\n  x\nc: >\n  y\n  z\n"),
            R"({"a":"one\n  two\n\nthree\n","b":"x","c":"y z\n"})");
}

TEST(YamlReader, NamesTheLineOfWhatIsWrong) {
  EXPECT_EQ(Json("a: 1\na: 2"), "line 2: 'a' is here for the second time");
  EXPECT_EQ(Json("a: [1, 2"), "line 1: a [ or { without its end");
  EXPECT_EQ(Json("a: 1\n  b: 2"), "line 2: more indented than what it belongs to");
  EXPECT_TRUE(Json("a: *x").starts_with("line 1: '*' begins an anchor"));
  EXPECT_TRUE(Json("a: b: c").starts_with("line 1:"));
  EXPECT_TRUE(Json("a: 1\nnonsense\n").starts_with("line 2:"));
  EXPECT_TRUE(Json("a: 'x").starts_with("line 1: a text without"));
  EXPECT_EQ(Json("a: \"\\ud800\""), "line 1: an escape that is not valid");
  EXPECT_TRUE(Json(std::string(2'000, '[')).starts_with("line 1: nested too deeply"));
  EXPECT_TRUE(Json("a: \xff").starts_with("line 1: the file is not UTF-8"));
}

}  // namespace
}  // namespace orrery::cli
