#include "cli/advice/item_file.h"

#include <gtest/gtest.h>

#include "model/document/json.h"

namespace orrery::cli {
namespace {

std::string Read(std::string_view text) {
  const auto items = ReadItems(text, 10);
  if (!items.has_value()) return "error: " + items.error().message();
  std::string all;
  for (const model::Document& item : *items) all += model::ToJson(item) + ";";
  return all;
}

TEST(ItemFileTest, CsvJsonArraysAndLinesAreRead) {
  EXPECT_EQ(Read("id,n,ok,name\r\n1,2.5,true,\"a, \"\"b\"\"\nc\"\n2,,false,x\n"),
            "{\"id\":1,\"n\":2.5,\"ok\":true,\"name\":\"a, \\\"b\\\"\\nc\"};"
            "{\"id\":2,\"ok\":false,\"name\":\"x\"};");
  EXPECT_EQ(Read("id\n\"007\"\n"), "{\"id\":\"007\"};");
  EXPECT_EQ(Read("[{\"a\":1},{\"a\":[2]}]"), "{\"a\":1};{\"a\":[2]};");
  EXPECT_EQ(Read("{\"a\":1}\n\n{\"a\":2}"), "{\"a\":1};{\"a\":2};");
  EXPECT_EQ(ReadItems("{\"a\":1}\n{\"a\":2}", 1)->size(), 1u);
}

TEST(ItemFileTest, WhatIsMalformedIsRefused) {
  for (const std::string_view text : {"", " \n", "[1]", "[{]", "{\"a\":}", "a,b\n1\n", "a\n\"x\n"})
    EXPECT_TRUE(Read(text).starts_with("error: ")) << text;
}

}  // namespace
}  // namespace orrery::cli
