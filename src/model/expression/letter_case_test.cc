#include "model/expression/letter_case.h"

#include <gtest/gtest.h>

namespace orrery::model {
namespace {

TEST(LetterCase, Ascii) {
  EXPECT_EQ(ToLowerCase("MiXed @[`{ 09"), "mixed @[`{ 09");
  EXPECT_EQ(ToUpperCase("MiXed @[`{ 09"), "MIXED @[`{ 09");
  EXPECT_EQ(ToUpperCase(""), "");
}

TEST(LetterCase, Unicode) {
  EXPECT_EQ(ToLowerCase("ÄÖÜ ŁÓDŹ МОСКВА"), "äöü łódź москва");
  EXPECT_EQ(ToUpperCase("äöü łódź москва"), "ÄÖÜ ŁÓDŹ МОСКВА");
  EXPECT_EQ(ToLowerCase("日本 😀"), "日本 😀");
}

TEST(LetterCase, OneLetterMayBecomeSeveral) {
  EXPECT_EQ(ToUpperCase("straße ﬁn"), "STRASSE FIN");
  EXPECT_EQ(ToLowerCase("ΟΔΟΣ ΣΟΦΙΑ"), "οδος σοφια");
}

TEST(LetterCase, NoLanguageOfItsOwn) {
  EXPECT_EQ(ToUpperCase("iı"), "II");
  EXPECT_EQ(ToLowerCase("Iİ"), "ii̇");
}

TEST(LetterCase, BytesThatAreNotUtf8Stay) {
  EXPECT_EQ(ToUpperCase("a\xff"
                        "b"),
            "A\xff"
            "B");
}

}  // namespace
}  // namespace orrery::model
