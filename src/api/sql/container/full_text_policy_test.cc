#include "api/sql/container/full_text_policy.h"

#include <gtest/gtest.h>

#include <string>

#include "model/document/json.h"

namespace orrery::sql {
namespace {

std::string RefusedPolicy(const std::string& policy) {
  const Status checked =
      CheckFullTextPolicy(model::ValueFromJson(R"({"fullTextPolicy":)" + policy + "}").value());
  return checked.has_value() ? std::string() : checked.error().message();
}

TEST(FullTextPolicy, WhatIsTaken) {
  EXPECT_EQ(RefusedPolicy("null"), "");
  EXPECT_EQ(RefusedPolicy(R"({"defaultLanguage":"en-US"})"), "");
  EXPECT_EQ(RefusedPolicy(R"({"fullTextPaths":[{"path":"/a","language":"1033"}]})"), "");
  EXPECT_EQ(
      RefusedPolicy(
          R"({"defaultLanguage":"pt-BR","fullTextPaths":[{"path":"/a/b","language":"fr-FR"}]})"),
      "");
  EXPECT_EQ(RefusedPolicy(R"({"fullTextPaths":[{"path":"/a"}]})"), "");
}

TEST(FullTextPolicy, WhatIsNot) {
  EXPECT_NE(RefusedPolicy(R"({"fullTextPaths":[{"path":"a"}]})").find("an invalid path: a"),
            std::string::npos);
  EXPECT_NE(RefusedPolicy(R"({"fullTextPaths":[{}]})").find("an invalid path"), std::string::npos);
  EXPECT_NE(RefusedPolicy(R"({"fullTextPaths":[{"path":"/"}]})").find("must name a property"),
            std::string::npos);
  EXPECT_NE(RefusedPolicy(R"({"defaultLanguage":"xx-XX"})").find("an unsupported language"),
            std::string::npos);
  EXPECT_NE(RefusedPolicy(R"({"fullTextPaths":[{"path":"/a","language":"xx-XX"}]})")
                .find("an unsupported language"),
            std::string::npos);
  EXPECT_NE(RefusedPolicy("[]").find("inputs is invalid"), std::string::npos);
}

}  // namespace
}  // namespace orrery::sql
