#include "api/mongo/catalog/document_form.h"

#include <gtest/gtest.h>

#include "model/document/json.h"

namespace orrery::mongo {
namespace {

model::Document Json(std::string_view text) { return *model::ParseJson(text); }

TEST(DocumentFormTest, DocumentsOfOthersAreShownWithAnId) {
  const model::Document stored = Json(R"({"id": "a", "n": 1})");
  const model::Document shown = ToMongoForm(stored, DocumentForm::kOther);
  EXPECT_EQ(shown, Json(R"({"_id": "a", "id": "a", "n": 1})"));
  EXPECT_EQ(ToStoredForm(shown, DocumentForm::kOther).value(), stored);
  EXPECT_EQ(ToMongoForm(stored, DocumentForm::kMongo), stored);
}

TEST(DocumentFormTest, AnIdOfMongoBecomesTheRowKey) {
  EXPECT_EQ(ToStoredForm(Json(R"({"_id": "a", "n": 1})"), DocumentForm::kOther).value(),
            Json(R"({"id": "a", "n": 1})"));
  EXPECT_FALSE(ToStoredForm(Json(R"({"_id": 5})"), DocumentForm::kOther).has_value());
}

TEST(DocumentFormTest, TheIdComesFirst) {
  EXPECT_EQ(WithIdFirst(Json(R"({"a": 1, "_id": 2})"), {}), Json(R"({"_id": 2, "a": 1})"));
  EXPECT_EQ(WithIdFirst(Json(R"({"a": 1})"), model::Value::Int32(7)),
            Json(R"({"_id": 7, "a": 1})"));
}

}  // namespace
}  // namespace orrery::mongo
