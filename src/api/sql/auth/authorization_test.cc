#include "api/sql/auth/authorization.h"

#include <gtest/gtest.h>

#include "api/sql/resource/resource_id.h"
#include "net/http/http_date.h"

namespace orrery::sql {
namespace {

constexpr std::string_view kDate = "Thu, 27 Apr 2017 00:51:12 GMT";
// The published example.
constexpr std::string_view kKey =
    "dsZQi3KtZmCv1ljt3VNWNm7sQUF1y5rJfC6kv5JiwvW0EndXdDku/dkKBp8/ufDToSxLzR4y+O/0H/t4bQtVNw==";
constexpr std::string_view kMasterHeader =
    "type%3dmaster%26ver%3d1.0%26sig%3dc09PEVJrgp2uQRkr934kFbTqhByc7TVr3OHyqlu%2bc%2bc%3d";

class AuthorizationTest : public testing::Test {
 protected:
  static gateway::Accounts MakeAccounts() {
    gateway::AccountKeys keys;
    keys.primary = kKey;
    return gateway::Accounts::Create(keys).value();
  }
  Result<gateway::Access> Check(std::string_view header, std::string_view verb,
                                const ResourcePath& path, std::string_view date,
                                Micros after = Micros(0)) const {
    const auto authorization = ParseAuthorization(header);
    if (!authorization.has_value()) return Fail(authorization.error());
    return CheckSignature(accounts_, *authorization, {verb, path, date, ""},
                          *net::ParseHttpDate(kDate) + after);
  }

  const gateway::Accounts accounts_ = MakeAccounts();
  const ResourcePath list_{ResourceType::kDatabase, false, {{ResourceType::kDatabase, "ToDoList"}}};
};

TEST_F(AuthorizationTest, ThePublishedExampleComesIn) {
  const auto access = Check(kMasterHeader, "GET", list_, kDate);
  ASSERT_TRUE(access.has_value()) << access.error().ToString();
  EXPECT_EQ(*access, gateway::Access::kReadWrite);
}

TEST_F(AuthorizationTest, AnythingElseDoesNot) {
  EXPECT_EQ(Check(kMasterHeader, "DELETE", list_, kDate).error().code(), Code::kUnauthorized);
  ResourcePath other = list_;
  other.steps[0].id = "todolist";
  EXPECT_EQ(Check(kMasterHeader, "GET", other, kDate).error().code(), Code::kUnauthorized);
  EXPECT_EQ(Check(kMasterHeader, "GET", list_, "Thu, 27 Apr 2017 00:51:13 GMT").error().code(),
            Code::kUnauthorized);
}

TEST_F(AuthorizationTest, ASignatureGetsOld) {
  using std::chrono::minutes;
  EXPECT_TRUE(Check(kMasterHeader, "GET", list_, kDate, minutes(15)).has_value());
  EXPECT_TRUE(Check(kMasterHeader, "GET", list_, kDate, minutes(-15)).has_value());
  EXPECT_EQ(Check(kMasterHeader, "GET", list_, kDate, minutes(16)).error().code(),
            Code::kForbidden);
  EXPECT_EQ(Check(kMasterHeader, "GET", list_, kDate, minutes(-16)).error().code(),
            Code::kForbidden);
}

TEST_F(AuthorizationTest, WhatIsSigned) {
  const ResourcePath docs{ResourceType::kDocument,
                          true,
                          {{ResourceType::kDatabase, "Db"}, {ResourceType::kContainer, "C c"}}};
  EXPECT_EQ(TextToSign({"POST", docs, kDate, ""}, false),
            "post\ndocs\ndbs/Db/colls/C c\nthu, 27 apr 2017 00:51:12 gmt\n\n");
  EXPECT_EQ(TextToSign({"POST", docs, "", kDate}, true),
            "post\ndocs\nc c\n\nthu, 27 apr 2017 00:51:12 gmt\n");
  const ResourcePath account;
  EXPECT_EQ(TextToSign({"GET", account, kDate, ""}, false),
            "get\n\n\nthu, 27 apr 2017 00:51:12 gmt\n\n");
  const ResourcePath offer{ResourceType::kOffer, false, {{ResourceType::kOffer, "AwIB"}}};
  EXPECT_EQ(TextToSign({"PUT", offer, kDate, ""}, false),
            "put\noffers\nawib\nthu, 27 apr 2017 00:51:12 gmt\n\n");
}

// A signature for a resource id must not be good for something of that name.
TEST_F(AuthorizationTest, OnlyResourceIdsAreSignedByTheirLast) {
  const std::string database = FormatRid(ResourceId::Database(1));
  const std::string container = FormatRid(ResourceId::Container(1, 2));
  const std::string document = FormatRid(ResourceId::Child(RidKind::kDocument, 1, 2, 7));
  const auto path = [](const std::string& first, const std::string& second,
                       const std::string& third) {
    return ResourcePath{ResourceType::kDocument,
                        false,
                        {{ResourceType::kDatabase, first},
                         {ResourceType::kContainer, second},
                         {ResourceType::kDocument, third}}};
  };
  EXPECT_TRUE(IsOfResourceIds(path(database, container, document)));
  EXPECT_FALSE(IsOfResourceIds(path("db", "c", document)));
  EXPECT_FALSE(IsOfResourceIds(path(database, container, "1")));
  const std::string foreign = FormatRid(ResourceId::Child(RidKind::kDocument, 1, 3, 7));
  EXPECT_FALSE(IsOfResourceIds(path(database, container, foreign)));
}

TEST_F(AuthorizationTest, Headers) {
  EXPECT_EQ(*ParseAuthorization("type%3Dresource%26ver%3D1%26sig%3Da%3D%3D%3Bb%3B"),
            (Authorization{TokenType::kResource, "a==;b;"}));
  EXPECT_EQ(*ParseAuthorization("type=aad&ver=1.0&sig=e.y.J"),
            (Authorization{TokenType::kEntra, "e.y.J"}));
  for (const std::string_view header : {"", "%", "Bearer x", "type=master", "type=master&ver=1.0",
                                        "type=master&ver=1.0&sig=", "type=other&ver=1.0&sig=x",
                                        "ver=1.0&type=master&sig=x", "type=master&sig=x&ver=1.0"}) {
    const auto parsed = ParseAuthorization(header);
    ASSERT_FALSE(parsed.has_value()) << header;
    EXPECT_EQ(parsed.error().code(), Code::kUnauthorized) << header;
  }
}

}  // namespace
}  // namespace orrery::sql
