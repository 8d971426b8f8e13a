#include "api/mongo/executor/retry/retry_statements.h"

#include <gtest/gtest.h>

#include "api/mongo/executor/retry/retry_probe_program.h"
#include "api/mongo/executor/retry/target_program.h"
#include "base/bytes.h"
#include "model/document/json.h"

namespace orrery::mongo {
namespace {

const std::string kSessionBytesOfTest(kSessionBytes, 's');

RetryStatements StatementsOf(int64_t number, std::vector<int32_t> ids) {
  return {{.session = kSessionBytesOfTest, .number = number}, std::move(ids)};
}

// The receipts that a program with `statements` finds among those that were left.
using Stored = std::map<std::string, std::string>;
std::vector<std::optional<std::string>> Look(const Stored& stored, const RetryStatements& all) {
  std::vector<std::optional<std::string>> found;
  for (const std::string& name : all.receipts()) {
    const auto at = stored.find(name);
    found.push_back(at == stored.end() ? std::nullopt : std::optional(at->second));
  }
  return found;
}
void Keep(Stored& stored, RetryLog log) {
  for (item::Receipt& receipt : log.Take()) stored[receipt.name] = std::move(receipt.bytes);
}

TEST(RetryStatementsTest, AReceiptIsAsDocumented) {
  const RetryStatements statements = StatementsOf(7, {0, 1, 2});
  ASSERT_EQ(statements.receipts().size(), 1u);
  EXPECT_EQ(statements.receipts()[0], "m" + kSessionBytesOfTest + std::string(4, '\0'));
  auto log = RetryLog::Open(statements, Look({}, statements));
  ASSERT_TRUE(log.has_value());
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(log->Find(i), nullptr);
    log->Record(i, {.matched = 1});
  }
  const std::vector<item::Receipt> receipts = log->Take();
  ASSERT_EQ(receipts.size(), 1u);
  EXPECT_EQ(ToHex(receipts[0].bytes),
            "2e000000"
            "1274000700000000000000"
            "0473001b000000"
            "03300013000000"
            "10690000000000"
            "10630003000000"
            "00"
            "00"
            "00");
  EXPECT_EQ(receipts[0].lifetime, kReceiptLifetime);
}

TEST(RetryStatementsTest, OutcomesComeBackFromAllBlocks) {
  Stored stored;
  const RetryStatements statements = StatementsOf(1, {5, 300, 6, 129});
  EXPECT_EQ(statements.receipts().size(), 3u);
  auto log = RetryLog::Open(statements, Look(stored, statements));
  ASSERT_TRUE(log.has_value());
  log->Record(0, {.matched = 1, .modified = 1});
  log->Record(1, {.matched = 1, .upserted = model::Value::String("x")});
  log->Record(3, {.matched = 1, .before = *model::ParseJson(R"({"a":1})")});
  Keep(stored, *std::move(log));
  EXPECT_EQ(stored.size(), 3u);

  const RetryStatements again = StatementsOf(1, {5, 6, 129, 300});
  auto second = RetryLog::Open(again, Look(stored, again));
  ASSERT_TRUE(second.has_value());
  ASSERT_NE(second->Find(0), nullptr);
  EXPECT_EQ(second->Find(0)->modified, 1);
  EXPECT_EQ(second->Find(1), nullptr);
  EXPECT_EQ(second->Find(2)->before, model::ParseJson(R"({"a":1})"));
  EXPECT_EQ(second->Find(3)->upserted, model::Value::String("x"));
  EXPECT_TRUE(second->Take().empty()) << "nothing was done";
}

TEST(RetryStatementsTest, ANewerNumberWritesOver) {
  Stored stored;
  const auto run = [&](int64_t number, int32_t statement) {
    const RetryStatements statements = StatementsOf(number, {statement});
    auto log = RetryLog::Open(statements, Look(stored, statements));
    if (!log.has_value()) return std::to_string(log.error().code);
    if (log->Find(0) != nullptr) return std::string("again");
    log->Record(0, {.matched = 1});
    Keep(stored, *std::move(log));
    return std::string("done");
  };
  EXPECT_EQ(run(1, 0), "done");
  EXPECT_EQ(run(1, 200), "done");
  EXPECT_EQ(run(1, 0), "again");
  EXPECT_EQ(run(2, 200), "done");
  EXPECT_EQ(run(2, 200), "again");
  EXPECT_EQ(run(2, 0), "done");
  EXPECT_EQ(run(1, 0), "225");
  EXPECT_EQ(run(1, 500), "225") << "the first block says the newest number";
  EXPECT_EQ(stored.size(), 2u);
}

TEST(RetryStatementsTest, DamagedReceiptsAreRefused) {
  const RetryStatements statements = StatementsOf(1, {0});
  const std::vector<std::optional<std::string>> receipts = {"nonsense"};
  EXPECT_EQ(RetryLog::Open(statements, receipts).error().code, 1);
}

TEST(RetryStatementsTest, Travel) {
  for (const RetryStatements& statements :
       {StatementsOf(9, {1, 700}), RetryStatements({kSessionBytesOfTest, 9}, {3}, 2)}) {
    model::DocumentBuilder program;
    statements.AppendTo(program);
    const model::Document sent = std::move(program).Finish();
    const auto back = RetryStatements::ReadFrom(sent);
    ASSERT_TRUE(back.has_value() && back->has_value());
    EXPECT_EQ((*back)->key().number, 9);
    EXPECT_EQ((*back)->is_attempt(), statements.is_attempt());
    EXPECT_TRUE(std::ranges::equal((*back)->receipts(), statements.receipts()));
  }
  EXPECT_FALSE(RetryStatements::ReadFrom(*model::ParseJson("{}"))->has_value());
  EXPECT_FALSE(RetryStatements::ReadFrom(*model::ParseJson(R"({"retry": {}})")).has_value());
}

TEST(TargetProgramTest, AllAgreeOnTheSameTargets) {
  gateway::ProgramRegistry registry;
  TargetProgram::Register(registry);
  std::optional<std::string> stored;
  // The row keys of the targets after a program that has travelled.
  const auto run = [&](int64_t number, size_t known, std::optional<StatementTarget> next) {
    const TargetProgram made({kSessionBytesOfTest, number}, 4, known, std::move(next));
    const auto program = registry.Decode(nullptr, made.kind(), made.Encode());
    EXPECT_TRUE(program.has_value());
    EXPECT_TRUE(std::ranges::equal((*program)->receipts(), made.receipts()));
    auto decision = (*program)->DecideWithReceipts({}, {&stored, 1}, Micros(0));
    EXPECT_TRUE(decision.has_value());
    for (item::Receipt& receipt : decision->receipts) stored = std::move(receipt.bytes);
    const auto targets = TargetProgram::ReadTargets(decision->outcome);
    if (!targets.has_value()) return std::to_string(targets.error().code);
    std::string text;
    for (const StatementTarget& target : *targets) {
      text += target.row_key.has_value() ? target.row_key->AsString() : std::string("insert");
      text += target.partition_key.front().is_undefined() ? "?" : ".";
    }
    return text;
  };
  const auto at = [](const char* key) {
    return StatementTarget{.partition_key = {model::Value::Int32(1)},
                           .row_key = model::Value::String(key)};
  };
  EXPECT_EQ(run(1, 0, std::nullopt), "");
  EXPECT_EQ(run(1, 0, at("a")), "a.");
  EXPECT_EQ(run(1, 0, at("b")), "a.") << "another was faster";
  EXPECT_EQ(run(1, 1,
                StatementTarget{.partition_key = {model::Value::Undefined()},
                                .insert = *model::ParseJson(R"({"_id":1})")}),
            "a.insert?");
  EXPECT_EQ(run(1, 0, std::nullopt), "a.insert?");
  EXPECT_EQ(run(2, 0, at("c")), "c.");
  EXPECT_EQ(run(1, 0, std::nullopt), "225");
}

}  // namespace
}  // namespace orrery::mongo
