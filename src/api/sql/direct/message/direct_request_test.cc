#include "api/sql/direct/message/direct_request.h"

#include <gtest/gtest.h>

#include <string>

#include "api/sql/direct/direct_testing.h"

namespace orrery::sql::direct {
namespace {

constexpr std::string_view kPath = "/apps/orrery/services/a/partitions/12/replicas/1p/";

class DirectRequestTest : public testing::Test {
 protected:
  SqlResult<DirectRequest> Read(const TestFrame& made) {
    bytes_ = made.bytes();
    std::string_view input = bytes_;
    const auto frame = FrameDecoder().Next(input);
    if (!frame.has_value() || !frame->has_value()) return Refuse(599, "no frame");
    tokens_ = {};
    SQL_TRY(ReadRequestTokens((*frame)->tokens, tokens_));
    return ReadDirectRequest(**frame, tokens_, "2020-07-15");
  }
  static int StatusOf(const SqlResult<DirectRequest>& request) {
    return request.has_value() ? 200 : request.error().failure.status;
  }
  static TestFrame InContainer(WireOperation operation) {
    TestFrame frame(WireResource::kDocument, operation);
    frame.Text(RequestToken::kDatabaseName, "db").Text(RequestToken::kContainerName, "c");
    frame.Text(RequestToken::kReplicaPath, kPath);
    return frame;
  }

  std::string bytes_;
  RequestTokens tokens_;
};

TEST_F(DirectRequestTest, APointRead) {
  const auto request = Read(InContainer(WireOperation::kRead)
                                .Text(RequestToken::kDocumentName, "1")
                                .Text(RequestToken::kPartitionKey, R"(["a"])")
                                .Text(RequestToken::kMatch, "\"5\"")
                                .Text(RequestToken::kSessionToken, "12:-1#4"));
  ASSERT_TRUE(request.has_value());
  EXPECT_EQ(request->action, Action::kRead);
  EXPECT_EQ(request->verb, "GET");
  EXPECT_EQ(NameLink(request->path), "dbs/db/colls/c/docs/1");
  EXPECT_FALSE(request->path.feed);
  EXPECT_EQ(request->headers.if_none_match, "\"5\"");
  EXPECT_EQ(request->headers.if_match, "");
  EXPECT_EQ(request->headers.session, "12:-1#4");
  EXPECT_EQ(request->headers.partition_key->size(), 1U);
  EXPECT_EQ(request->headers.range_id, std::nullopt);
  EXPECT_EQ(request->partition, PartitionId(12));
}

TEST_F(DirectRequestTest, EveryOperationHasItsVerbAndPath) {
  struct Expected {
    WireOperation operation;
    Action action;
    std::string_view verb;
    bool feed;
  };
  for (const Expected& expected :
       {Expected{WireOperation::kCreate, Action::kCreate, "POST", true},
        Expected{WireOperation::kUpsert, Action::kCreate, "POST", true},
        Expected{WireOperation::kReplace, Action::kReplace, "PUT", false},
        Expected{WireOperation::kPatch, Action::kPatch, "PATCH", false},
        Expected{WireOperation::kDelete, Action::kDelete, "DELETE", false},
        Expected{WireOperation::kHead, Action::kRead, "HEAD", false},
        Expected{WireOperation::kReadFeed, Action::kReadFeed, "GET", true},
        Expected{WireOperation::kQuery, Action::kQuery, "POST", true},
        Expected{WireOperation::kSqlQuery, Action::kQuery, "POST", true},
        Expected{WireOperation::kBatch, Action::kBatch, "POST", true}}) {
    const auto request =
        Read(InContainer(expected.operation).Text(RequestToken::kDocumentName, "1"));
    ASSERT_TRUE(request.has_value()) << static_cast<int>(expected.operation);
    EXPECT_EQ(request->action, expected.action);
    EXPECT_EQ(request->verb, expected.verb);
    EXPECT_EQ(request->path.feed, expected.feed);
    EXPECT_EQ(request->headers.upsert, expected.operation == WireOperation::kUpsert);
    EXPECT_EQ(request->wants_body, expected.operation != WireOperation::kHead);
  }
}

TEST_F(DirectRequestTest, WhatHasNoKeyIsAboutThePartitionOfTheAddress) {
  const auto query = Read(InContainer(WireOperation::kQuery).Number(RequestToken::kPageSize, 5));
  ASSERT_TRUE(query.has_value());
  EXPECT_EQ(query->headers.range_id, "12");
  EXPECT_EQ(query->headers.items_max, 5U);
  const auto named =
      Read(InContainer(WireOperation::kQuery).Text(RequestToken::kPartitionKeyRangeId, "rid,7"));
  ASSERT_TRUE(named.has_value());
  EXPECT_EQ(named->headers.range_id, "7");
  const auto of_key =
      Read(InContainer(WireOperation::kQuery).Text(RequestToken::kPartitionKey, R"(["a"])"));
  ASSERT_TRUE(of_key.has_value());
  EXPECT_EQ(of_key->headers.range_id, std::nullopt);
}

TEST_F(DirectRequestTest, PageSizes) {
  const auto any =
      Read(InContainer(WireOperation::kQuery).Number(RequestToken::kPageSize, 0xffffffff));
  ASSERT_TRUE(any.has_value());
  EXPECT_EQ(any->headers.items_max, std::nullopt);
  const auto none = Read(InContainer(WireOperation::kQuery).Number(RequestToken::kPageSize, 0));
  ASSERT_TRUE(none.has_value());
  EXPECT_EQ(none->headers.items_max, std::nullopt);
  EXPECT_EQ(
      StatusOf(Read(InContainer(WireOperation::kQuery).Number(RequestToken::kPageSize, 2'000'000))),
      400);
}

TEST_F(DirectRequestTest, AChangeFeedOfARangeOfKeys) {
  const auto feed = Read(InContainer(WireOperation::kReadFeed)
                             .Text(RequestToken::kFeedKind, "Incremental Feed")
                             .Text(RequestToken::kStartEpk, "10")
                             .Text(RequestToken::kEndEpk, "20")
                             .Text(RequestToken::kMatch, "\"9\"")
                             .Text(RequestToken::kFeedFormatVersion, "2021-09-15"));
  ASSERT_TRUE(feed.has_value());
  EXPECT_EQ(feed->headers.feed, FeedKind::kIncremental);
  EXPECT_EQ(feed->headers.epk_range, (EpkRange{"10", "20"}));
  EXPECT_EQ(feed->headers.if_none_match, "\"9\"");
  EXPECT_TRUE(feed->headers.feed_has_metadata);
}

TEST_F(DirectRequestTest, ABatch) {
  const auto batch = Read(InContainer(WireOperation::kBatch)
                              .Byte(RequestToken::kBatchAtomic, 1)
                              .Byte(RequestToken::kBatchContinueOnError, 0)
                              .Body("[]"));
  ASSERT_TRUE(batch.has_value());
  EXPECT_TRUE(batch->headers.batch);
  EXPECT_TRUE(batch->headers.batch_atomic);
  EXPECT_TRUE(batch->headers.batch_stops);
}

TEST_F(DirectRequestTest, ResourcesByRid) {
  std::string rid_token("\x00\x00\x0b\x10\x00", 5);
  rid_token += std::string("\x00\x00\x00\x01\x80\x00\x00\x02\x01\x00\x00\x00\x00\x00\x00\x00", 16);
  const auto request =
      Read(TestFrame(WireResource::kDocument, WireOperation::kRead).Raw(rid_token));
  ASSERT_TRUE(request.has_value());
  ASSERT_EQ(request->path.steps.size(), 3U);
  EXPECT_EQ(request->path.steps[0].id, "AAAAAQ==");
  EXPECT_EQ(request->path.steps[1].id, "AAAAAYAAAAI=");
  EXPECT_EQ(request->path.steps[2].id, "AAAAAYAAAAIBAAAAAAAAAA==");
}

TEST_F(DirectRequestTest, WhatIsRefused) {
  EXPECT_EQ(StatusOf(Read(InContainer(WireOperation::kRead))), 400);  // which document?
  EXPECT_EQ(StatusOf(Read(TestFrame(WireResource::kDocument, WireOperation::kRead))), 400);
  EXPECT_EQ(StatusOf(Read(InContainer(static_cast<WireOperation>(0x0e)))), 405);
  EXPECT_EQ(StatusOf(Read(TestFrame(static_cast<WireResource>(0x0f), WireOperation::kRead))), 405);
  EXPECT_EQ(StatusOf(Read(
                InContainer(WireOperation::kCreate).Text(RequestToken::kPartitionKey, "no JSON"))),
            400);
  EXPECT_EQ(
      StatusOf(Read(
          InContainer(WireOperation::kReadFeed).Text(RequestToken::kIfModifiedSince, "yesterday"))),
      400);
  EXPECT_EQ(StatusOf(Read(
                InContainer(WireOperation::kReadFeed).Byte(RequestToken::kConsistencyLevel, 5))),
            400);
  // A name that comes as a number.
  EXPECT_EQ(StatusOf(Read(InContainer(WireOperation::kRead).Byte(RequestToken::kDocumentName, 1))),
            400);
}

}  // namespace
}  // namespace orrery::sql::direct
