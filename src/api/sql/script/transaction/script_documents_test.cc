#include "api/sql/script/transaction/script_documents.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "api/sql/script/script_testing.h"

namespace orrery::sql {
namespace {

class ScriptDocumentsTest : public ScriptTest {
 protected:
  std::unique_ptr<ScriptDocuments> Open(const ScriptDocuments::Limits& bounds = {}) {
    auto view = ScriptDocuments::Open(*server.gateway, server.clock, container,
                                      {model::Value::String("a")}, bounds);
    EXPECT_TRUE(view.has_value());
    return std::make_unique<ScriptDocuments>(*std::move(view));
  }
  static model::Document Json(std::string_view text) { return model::ParseJson(text).value(); }
  static std::vector<std::string> Ids(ScriptDocuments& view, size_t page_size) {
    std::vector<std::string> ids;
    ScriptDocuments::Scan scan{.from = {}, .documents_max = page_size};
    for (int pages = 0; pages < 100; ++pages) {
      const auto page = view.ReadPage(scan);
      EXPECT_TRUE(page.has_value());
      EXPECT_LE(page->documents.size(), page_size);
      for (const auto& document : page->documents)
        ids.emplace_back(document.document.view().Find("id")->AsString());
      if (!page->next.has_value()) return ids;
      scan.from = *page->next;
    }
    ADD_FAILURE() << "the scan does not end";
    return ids;
  }
  template <typename T>
  static Code CodeOf(const Result<T>& result) {
    return result.has_value() ? Code::kInternal : result.error().code();
  }
};

TEST_F(ScriptDocumentsTest, SeesItsOwnWritesAndNobodyElseDoes) {
  Put(R"({"id":"old","pk":"a","n":1})");
  auto view = Open();
  EXPECT_EQ(CodeOf(view->Read("new")), Code::kNotFound);
  ASSERT_TRUE(view->Create(Json(R"({"id":"new","pk":"a"})")).has_value());
  EXPECT_TRUE(view->Read("new").has_value());
  EXPECT_EQ(CodeOf(view->Create(Json(R"({"id":"new","pk":"a"})"))), Code::kAlreadyExists);
  ASSERT_TRUE(view->Replace("old", Json(R"({"id":"old","pk":"a","n":2})"), {}).has_value());
  EXPECT_EQ(Stored("new"), "");
  EXPECT_EQ(Stored("old"), R"({"id":"old","pk":"a","n":1})");

  const auto lsn = view->Commit();
  ASSERT_TRUE(lsn.has_value()) << lsn.error().message();
  ASSERT_TRUE(lsn->has_value());
  EXPECT_EQ(Stored("new"), R"({"id":"new","pk":"a"})");
  EXPECT_EQ(Stored("old"), R"({"id":"old","pk":"a","n":2})");
  EXPECT_EQ(server.Get(container, "a", "new").item.lsn, **lsn);
  EXPECT_GT(view->charge(), RequestUnits::Whole(10));
  EXPECT_FALSE(view->session().empty());
}

TEST_F(ScriptDocumentsTest, WritesOfOneDocumentFollowEachOther) {
  auto view = Open();
  ASSERT_TRUE(view->Create(Json(R"({"id":"1","pk":"a","n":1})")).has_value());
  ASSERT_TRUE(view->Remove("1", {}).has_value());
  EXPECT_EQ(CodeOf(view->Read("1")), Code::kNotFound);
  EXPECT_EQ(CodeOf(view->Replace("1", Json(R"({"id":"1","pk":"a"})"), {})), Code::kNotFound);
  ASSERT_TRUE(view->Upsert(Json(R"({"id":"1","pk":"a","n":2})"), {}).has_value());
  ASSERT_TRUE(view->Commit().has_value());
  EXPECT_EQ(Stored("1"), R"({"id":"1","pk":"a","n":2})");
}

TEST_F(ScriptDocumentsTest, AReplaceMayChangeTheId) {
  Put(R"({"id":"1","pk":"a","n":1})");
  Put(R"({"id":"2","pk":"a"})");
  auto view = Open();
  const auto renamed = Json(R"({"id":"3","pk":"a","n":2})");
  EXPECT_EQ(CodeOf(view->Replace("none", renamed, {})), Code::kNotFound);
  EXPECT_EQ(CodeOf(view->Replace("1", renamed, Lsn(99))), Code::kPreconditionFailed);
  EXPECT_EQ(CodeOf(view->Replace("1", Json(R"({"id":"2","pk":"a"})"), {})), Code::kAlreadyExists);
  ASSERT_TRUE(view->Replace("1", renamed, {}).has_value());
  EXPECT_EQ(CodeOf(view->Read("1")), Code::kNotFound);
  EXPECT_EQ(Ids(*view, 10), (std::vector<std::string>{"2", "3"}));
  // And back, and again: of each document the last write counts.
  ASSERT_TRUE(view->Replace("3", Json(R"({"id":"1","pk":"a","n":3})"), {}).has_value());
  ASSERT_TRUE(view->Replace("1", Json(R"({"id":"3","pk":"a","n":4})"), {}).has_value());
  const auto lsn = view->Commit();
  ASSERT_TRUE(lsn.has_value()) << lsn.error().message();
  EXPECT_EQ(Stored("1"), "");
  EXPECT_EQ(Stored("3"), R"({"id":"3","pk":"a","n":4})");
}

TEST_F(ScriptDocumentsTest, ARenamedDocumentThatOthersChangedIsAConflict) {
  for (const char* meanwhile : {R"({"id":"1","pk":"a","n":2})", R"({"id":"3","pk":"a"})"}) {
    Put(R"({"id":"1","pk":"a","n":1})");
    auto view = Open();
    ASSERT_TRUE(view->Replace("1", Json(R"({"id":"3","pk":"a"})"), {}).has_value());
    Put(meanwhile);
    EXPECT_EQ(CodeOf(view->Commit()), Code::kPreconditionFailed);
    EXPECT_TRUE(view->conflicted());
    EXPECT_NE(Stored("1"), "");
  }
}

TEST_F(ScriptDocumentsTest, IdsAreThoseThatClientsMayWrite) {
  auto view = Open();
  EXPECT_TRUE(view->Create(Json(R"({"id":"a?b#c","pk":"a"})")).has_value());
  EXPECT_EQ(CodeOf(view->Create(Json(R"({"id":"a/b","pk":"a"})"))), Code::kInvalidArgument);
  const std::string longest(1'023, 'x');
  EXPECT_TRUE(view->Create(Json(R"({"pk":"a","id":")" + longest + R"("})")).has_value());
  EXPECT_EQ(CodeOf(view->Create(Json(R"({"pk":"a","id":")" + longest + R"(x"})"))),
            Code::kInvalidArgument);
}

TEST_F(ScriptDocumentsTest, EtagsOfStoredAndOfOwnVersionsCount) {
  Put(R"({"id":"1","pk":"a"})");
  auto view = Open();
  const Lsn stored = view->Read("1")->lsn;
  const auto body = Json(R"({"id":"1","pk":"a"})");
  EXPECT_EQ(CodeOf(view->Replace("1", body, Lsn(99))), Code::kPreconditionFailed);
  const auto written = view->Replace("1", body, stored);
  ASSERT_TRUE(written.has_value());
  EXPECT_NE(written->lsn, stored);
  EXPECT_EQ(CodeOf(view->Remove("1", stored)), Code::kPreconditionFailed);
  EXPECT_TRUE(view->Remove("1", written->lsn).has_value());
  EXPECT_FALSE(view->conflicted());
}

TEST_F(ScriptDocumentsTest, ChangesOfOthersAreConflicts) {
  Put(R"({"id":"read","pk":"a","n":1})");
  Put(R"({"id":"gone","pk":"a"})");
  const auto commit_after = [&](auto look, std::string_view meanwhile) {
    auto view = Open();
    look(*view);
    EXPECT_TRUE(view->Upsert(Json(R"({"id":"mine","pk":"a"})"), {}).has_value());
    Put(meanwhile);
    EXPECT_EQ(CodeOf(view->Commit()), Code::kPreconditionFailed);
    EXPECT_TRUE(view->conflicted());
    EXPECT_EQ(Stored("mine"), "");
  };
  commit_after([](ScriptDocuments& view) { EXPECT_TRUE(view.Read("read").has_value()); },
               R"({"id":"read","pk":"a","n":2})");
  commit_after([](ScriptDocuments& view) { EXPECT_FALSE(view.Read("absent").has_value()); },
               R"({"id":"absent","pk":"a"})");
  commit_after([](ScriptDocuments& view) { EXPECT_TRUE(view.Remove("gone", {}).has_value()); },
               R"({"id":"gone","pk":"a","n":2})");

  auto view = Open();
  EXPECT_TRUE(view->Remove("gone", {}).has_value());
  auto other = Open();
  EXPECT_TRUE(other->Remove("gone", {}).has_value());
  EXPECT_TRUE(other->Commit().has_value());
  EXPECT_FALSE(view->Commit().has_value());
  EXPECT_TRUE(view->conflicted());
}

TEST_F(ScriptDocumentsTest, NothingNewerThanTheFirstLookIsShown) {
  Put(R"({"id":"1","pk":"a"})");
  Put(R"({"id":"2","pk":"a"})");
  auto view = Open();
  EXPECT_TRUE(view->Read("1").has_value());
  Put(R"({"id":"2","pk":"a","n":2})");
  EXPECT_FALSE(view->ReadPage({}).has_value());
  EXPECT_TRUE(view->conflicted());
}

TEST_F(ScriptDocumentsTest, OtherPartitionsAreNoConflict) {
  Put(R"({"id":"1","pk":"a"})");
  auto view = Open();
  EXPECT_TRUE(view->Read("1").has_value());
  Put(R"({"id":"1","pk":"b"})");
  EXPECT_TRUE(view->Upsert(Json(R"({"id":"1","pk":"a","n":1})"), {}).has_value());
  EXPECT_TRUE(view->Commit().has_value());
}

TEST_F(ScriptDocumentsTest, ScansAreLaidOver) {
  for (const char* id : {"b", "d", "f", "h"})
    Put(std::string(R"({"pk":"a","id":")") + id + R"("})");
  Put(R"({"id":"x","pk":"other"})");
  for (const size_t page_size : {1u, 2u, 3u, 10u}) {
    auto view = Open();
    ASSERT_TRUE(view->Remove("b", {}).has_value());
    ASSERT_TRUE(view->Remove("h", {}).has_value());
    ASSERT_TRUE(view->Replace("d", Json(R"({"id":"d","pk":"a","n":1})"), {}).has_value());
    for (const char* id : {"a", "c", "e", "z"})
      ASSERT_TRUE(
          view->Create(Json(std::string(R"({"pk":"a","id":")") + id + R"("})")).has_value());
    EXPECT_EQ(Ids(*view, page_size), (std::vector<std::string>{"a", "c", "d", "e", "f", "z"}))
        << page_size;
  }
}

// A view shows what a map would hold after the same writes, and after its commit so does the store.
TEST_F(ScriptDocumentsTest, AgreesWithAMap) {
  constexpr uint32_t kSeed = 20261116;
  SCOPED_TRACE(kSeed);
  std::mt19937 random(kSeed);
  std::map<std::string, int> model;
  for (int round = 0; round < 20; ++round) {
    auto view = Open();
    for (int step = 0; step < 15; ++step) {
      const std::string id(1, static_cast<char>('a' + random() % 12));
      const int n = static_cast<int>(random() % 1'000);
      const bool there = model.contains(id);
      const auto document =
          Json(R"({"id":")" + id + R"(","pk":"a","n":)" + std::to_string(n) + "}");
      switch (random() % 4) {
        case 0:
          EXPECT_EQ(view->Create(document).has_value(), !there);
          model.try_emplace(id, n);
          break;
        case 1:
          EXPECT_TRUE(view->Upsert(document, {}).has_value());
          model[id] = n;
          break;
        case 2:
          EXPECT_EQ(view->Replace(id, document, {}).has_value(), there);
          if (there) model[id] = n;
          break;
        default:
          EXPECT_EQ(view->Remove(id, {}).has_value(), there);
          model.erase(id);
      }
      std::vector<std::string> ids;
      for (const auto& [each, value] : model) ids.push_back(each);
      EXPECT_EQ(Ids(*view, 1 + random() % 5), ids);
    }
    ASSERT_TRUE(view->Commit().has_value());
    for (const auto& [id, n] : model) {
      EXPECT_EQ(Stored(id), R"({"id":")" + id + R"(","pk":"a","n":)" + std::to_string(n) + "}");
    }
  }
}

TEST_F(ScriptDocumentsTest, APageMayBeginWithTheDocumentOfItsPosition) {
  for (const char* id : {"a", "c"}) Put(std::string(R"({"pk":"a","id":")") + id + R"("})");
  auto view = Open();
  ASSERT_TRUE(view->Create(Json(R"({"id":"b","pk":"a"})")).has_value());
  const auto all = view->ReadPage({});
  ASSERT_EQ(all->documents.size(), 3u);
  for (size_t i = 0; i < 3; ++i) {
    const std::string& from = all->documents[i].key.row_key;
    EXPECT_EQ(view->ReadPage({.from = from, .with = true})->documents.size(), 3 - i);
    EXPECT_EQ(view->ReadPage({.from = from})->documents.size(), 2 - i);
  }
}

TEST_F(ScriptDocumentsTest, FindsDocumentsByRid) {
  Put(R"({"id":"1","pk":"a"})");
  Put(R"({"id":"2","pk":"a"})");
  auto view = Open();
  const auto page = view->ReadPage({});
  ASSERT_TRUE(page.has_value());
  EXPECT_EQ(view->FindRid(view->names().DocumentRid(page->documents[1].key)).value(), "2");
  EXPECT_EQ(CodeOf(view->FindRid("AAAAAA==")), Code::kNotFound);
  const auto created = view->Create(Json(R"({"id":"3","pk":"a"})"));
  EXPECT_EQ(view->FindRid(view->names().DocumentRid(created->key)).value(), "3");
}

TEST_F(ScriptDocumentsTest, RefusesDocumentsThatDoNotBelong) {
  auto view = Open({.document_bytes_max = 200});
  EXPECT_EQ(CodeOf(view->Create(Json(R"({"pk":"a"})"))), Code::kInvalidArgument);
  EXPECT_EQ(CodeOf(view->Create(Json(R"({"id":5,"pk":"a"})"))), Code::kInvalidArgument);
  EXPECT_EQ(CodeOf(view->Create(Json(R"({"id":"a/b","pk":"a"})"))), Code::kInvalidArgument);
  EXPECT_EQ(CodeOf(view->Create(Json(R"({"id":"1","pk":"b"})"))), Code::kInvalidArgument);
  EXPECT_EQ(CodeOf(view->Create(Json(R"({"id":"1"})"))), Code::kInvalidArgument);
  const std::string large(200, 'x');
  EXPECT_EQ(CodeOf(view->Create(Json(R"({"id":"1","pk":"a","s":")" + large + R"("})"))),
            Code::kTooLarge);
  EXPECT_TRUE(view->Commit().has_value());
}

TEST_F(ScriptDocumentsTest, HasRoomForSoMany) {
  auto view = Open({.documents_max = 4});
  EXPECT_TRUE(view->HasRoom());
  ASSERT_TRUE(view->Create(Json(R"({"id":"1","pk":"a"})")).has_value());
  ASSERT_TRUE(view->Create(Json(R"({"id":"2","pk":"a"})")).has_value());
  EXPECT_FALSE(view->HasRoom());
  auto small = Open({.bytes_max = 220, .document_bytes_max = 200});
  ASSERT_TRUE(small->Create(Json(R"({"id":"1","pk":"a"})")).has_value());
  EXPECT_FALSE(small->HasRoom());
}

}  // namespace
}  // namespace orrery::sql
