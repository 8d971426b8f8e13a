#include "api/sql/document/document_id.h"

#include <gtest/gtest.h>

#include "model/document/json.h"

namespace orrery::sql {
namespace {

TEST(DocumentId, IsTextOfUpTo1023BytesWithoutSlashes) {
  const auto id_of = [](const std::string& json) {
    return DocumentIdOf(*model::ParseJson(json)).value_or("refused");
  };
  EXPECT_EQ(id_of(R"({"id": "a?b#c d"})"), "a?b#c d");
  EXPECT_EQ(id_of(R"({"id": ")" + std::string(1'023, 'x') + R"("})"), std::string(1'023, 'x'));
  EXPECT_EQ(id_of(R"({"id": ")" + std::string(1'024, 'x') + R"("})"), "refused");
  for (const char* json : {"{}", R"({"id": ""})", R"({"id": 1})", R"({"id": null})",
                           R"({"id": "a/b"})", R"({"id": "a\\b"})"}) {
    EXPECT_EQ(id_of(json), "refused") << json;
  }
}

}  // namespace
}  // namespace orrery::sql
