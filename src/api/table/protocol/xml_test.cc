#include "api/table/protocol/xml.h"

#include <gtest/gtest.h>

namespace orrery::table {
namespace {

TEST(Xml, ReadsElementsAndText) {
  const auto root = ReadXml(
      "\xef\xbb\xbf<?xml version=\"1.0\"?>\n<!-- c --><A xmlns='u'><B> a&amp;b &#x41;</B><C/>"
      "<D><![CDATA[<raw>]]></D></A>\n");
  ASSERT_TRUE(root.has_value()) << root.error().message;
  EXPECT_EQ(root->name, "A");
  EXPECT_EQ(root->TextOf("B"), "a&b A");
  EXPECT_EQ(root->TextOf("C"), "");
  EXPECT_EQ(root->TextOf("D"), "<raw>");
  EXPECT_EQ(root->Find("E"), nullptr);
  EXPECT_EQ(ReadXml(XmlText(*root))->TextOf("D"), "<raw>");
}

TEST(Xml, RefusesMalformedAndDangerous) {
  for (const std::string_view text :
       {"", "text", "<A>", "<A></B>", "<A/><B/>", "<A>&unknown;</A>", "<A>&#0;</A>", "<A", "<A x='",
        "<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>", "<>", "<A>&amp</A>", "<A><![CDATA[</A>"})
    EXPECT_FALSE(ReadXml(text).has_value()) << text;
  std::string deep;
  for (int i = 0; i < 100; ++i) deep += "<a>";
  EXPECT_FALSE(ReadXml(deep).has_value());
  EXPECT_FALSE(ReadXml("<a>\xff</a>").has_value());
}

}  // namespace
}  // namespace orrery::table
