#include "api/sql/handler/reply.h"

#include <gtest/gtest.h>

namespace orrery::sql {
namespace {

TEST(Reply, AFeed) {
  FeedWriter writer("rid=", "Documents");
  writer.Next() += R"({"id":"1"})";
  writer.Next() += R"({"id":"2"})";
  const net::HttpResponse response = ToResponse(std::move(writer).Finish(), "act");
  EXPECT_EQ(response.body, R"({"_rid":"rid=","Documents":[{"id":"1"},{"id":"2"}],"_count":2})");
  EXPECT_EQ(response.headers.Find("x-ms-item-count"), "2");
  EXPECT_EQ(response.headers.Find("content-type"), "application/json");
}

TEST(Reply, WhatClientsReadOfIt) {
  Reply reply{.status = 201, .body = "{}"};
  reply.charge = RequestUnits::FromHundredths(571);
  reply.session = "3:-1#12";
  reply.etag = "\"e\"";
  reply.continuation = "next";
  const net::HttpResponse response = ToResponse(std::move(reply), "act");
  EXPECT_EQ(response.status, 201);
  EXPECT_EQ(response.headers.Find("x-ms-request-charge"), "5.71");
  EXPECT_EQ(response.headers.Find("x-ms-session-token"), "3:-1#12");
  EXPECT_EQ(response.headers.Find("lsn"), "12");
  EXPECT_EQ(response.headers.Find("x-ms-documentdb-partitionkeyrangeid"), "3");
  EXPECT_EQ(response.headers.Find("etag"), "\"e\"");
  EXPECT_EQ(response.headers.Find("x-ms-continuation"), "next");
  EXPECT_EQ(response.headers.Find("x-ms-activity-id"), "act");
}

TEST(Reply, OldClientsGetTokensWithoutVersions) {
  Reply reply{.session = "3:-1#12"};
  const net::HttpResponse response =
      ToResponse(std::move(reply), "act", /*old_session_tokens=*/true);
  EXPECT_EQ(response.headers.Find("x-ms-session-token"), "3:12");
  EXPECT_EQ(response.headers.Find("lsn"), "12");
}

TEST(Reply, ThePartitionIsNamedOnce) {
  constexpr std::string_view kHeader = "x-ms-documentdb-partitionkeyrangeid";
  for (const std::string session : {"", "4:-1#12"}) {
    Reply reply{.session = session, .partition = PartitionId(4)};
    const net::HttpResponse response = ToResponse(std::move(reply), "act");
    EXPECT_EQ(response.headers.Find(kHeader), "4");
    EXPECT_EQ(response.headers.Count(kHeader), 1u);
  }
}

TEST(Reply, ARefusalSaysWhatItCost) {
  ErrorResponse error_response(Error(Code::kNotFound, "nothing"));
  error_response.charge = RequestUnits::Whole(1);
  const net::HttpResponse response = ToResponse(error_response, "act");
  EXPECT_EQ(response.status, 404);
  EXPECT_EQ(response.headers.Find("x-ms-request-charge"), "1.00");
}

TEST(Reply, TheOwnersPathIsOneHeaderLine) {
  gateway::ContainerEntry entry;
  entry.id = ContainerId(1);
  entry.database = DatabaseId(1);
  entry.database_name = "ключ";
  entry.settings.name = "c d";
  Reply reply;
  AddOwner(reply, entry);
  EXPECT_EQ(ToResponse(std::move(reply), "act").headers.Find("x-ms-alt-content-path"),
            "dbs/%D0%BA%D0%BB%D1%8E%D1%87/colls/c%20d");
}

}  // namespace
}  // namespace orrery::sql
