#include "api/sql/document/document_form.h"

#include <gtest/gtest.h>

#include "api/sql/document/etag.h"
#include "model/document/json.h"

namespace orrery::sql {
namespace {

const ContainerNames kNames{DatabaseId(1), ContainerId(2)};
const Micros kNow{std::chrono::seconds(1'700'000'000)};

DocumentVersion Version(std::string_view partition_key, std::string_view row_key) {
  return {.key = {Hash128{}, partition_key, row_key}, .lsn = Lsn(7), .time = kNow};
}

model::Document Json(std::string_view text) { return model::ParseJson(text).value(); }

TEST(DocumentForm, WhatClientsSayOfTheServersPropertiesIsNotStored) {
  const model::Document stored =
      ToStored(Json(R"({"id":"1","_ts":5,"_rid":"x","_self":"y","_etag":"z","_attachments":"a",)"
                    R"("b":{"_ts":6}})"),
               kNow);
  EXPECT_EQ(model::ToJson(stored), R"({"id":"1","b":{"_ts":6},"_ts":1700000000})");
}

TEST(DocumentForm, SeenHasAllOfThemInBothForms) {
  const model::Document stored = ToStored(Json(R"({"id":"1"})"), kNow);
  std::string text;
  AppendSeenJson(text, stored, kNames, Version("p", "1"));
  const std::string rid = kNames.DocumentRid({Hash128{}, "p", "1"});
  EXPECT_EQ(text, R"({"id":"1","_ts":1700000000,"_rid":")" + rid + R"(","_self":")" +
                      kNames.self() + "docs/" + rid +
                      R"(/","_etag":"\"00000007-0000-0000-0000-000000000000\"",)"
                      R"("_attachments":"attachments/"})");
  EXPECT_EQ(model::ToJson(ToSeen(stored, kNames, Version("p", "1"))), text);
}

TEST(DocumentForm, ItemsThatCameByAnotherApiShowTheirTime) {
  for (const std::string_view json : {R"({"id":"1"})", "{}"}) {
    std::string text;
    AppendSeenJson(text, Json(json), kNames, Version("p", "1"));
    const model::Document seen = Json(text);
    EXPECT_EQ(seen.view().Get("_ts"), model::Value::Int32(1'700'000'000));
    EXPECT_EQ(model::ToJson(ToSeen(Json(json), kNames, Version("p", "1"))), text);
  }
}

TEST(DocumentForm, RidsTellKeysApart) {
  EXPECT_NE(kNames.DocumentRid({Hash128{}, "ab", "c"}), kNames.DocumentRid({Hash128{}, "a", "bc"}));
  EXPECT_EQ(kNames.DocumentRid({Hash128{}, "a", "b"}), kNames.DocumentRid({Hash128{}, "a", "b"}));
  // In the order of the ring, whatever the keys.
  for (uint64_t i = 1; i < 100; ++i) {
    const std::string id = std::to_string(i);
    EXPECT_LT(ContainerNames::DocumentNumber({Hash128{(i - 1) << 42, 0}, "p", id}),
              ContainerNames::DocumentNumber({Hash128{i << 42, 0}, "p", id + "x"}));
  }
}

TEST(Etag, ReadsBackAndRefusesOthers) {
  for (const uint64_t lsn : {uint64_t{0}, uint64_t{1}, uint64_t{0x123456789abcdef0}, UINT64_MAX}) {
    const std::string text = FormatEtag(Lsn(lsn));
    EXPECT_EQ(ParseEtag(text), Lsn(lsn));
    EXPECT_EQ(ParseEtag(text.substr(1, text.size() - 2)), Lsn(lsn));
  }
  EXPECT_EQ(ParseEtag("\"0000000A-0000-0000-0000-000000000000\""), Lsn(10));
  for (const std::string_view text :
       {"", "\"", "*", "7", "\"00000007-0000-0000-0000-000000000001\"",
        "0000000g-0000-0000-0000-000000000000", "00000007x0000-0000-0000-000000000000"})
    EXPECT_EQ(ParseEtag(text), std::nullopt) << text;
}

}  // namespace
}  // namespace orrery::sql
