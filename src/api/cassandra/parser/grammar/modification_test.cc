#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "api/cassandra/parser/grammar/parsed.h"
#include "api/cassandra/parser/print/print.h"

namespace orrery::cassandra {
namespace {

using ast::AssignmentKind;

TEST(Modification, Insert) {
  const auto insert = ParseAs<ast::Insert>(
      "INSERT INTO ks.t (a, \"B\") VALUES (1, ?) IF NOT EXISTS USING TTL 60 AND TIMESTAMP 5");
  EXPECT_EQ(insert.table.name.text, "t");
  ASSERT_EQ(insert.columns.size(), 2u);
  EXPECT_EQ(insert.columns[1].text, "B");
  EXPECT_EQ(insert.values.size(), 2u);
  EXPECT_TRUE(insert.if_not_exists);
  EXPECT_EQ(PrintTerm(*insert.attributes.ttl), "60");
  EXPECT_EQ(PrintTerm(*insert.attributes.timestamp), "5");
}

TEST(Modification, InsertJson) {
  const auto insert = ParseAs<ast::InsertJson>("INSERT INTO t JSON '{}' DEFAULT UNSET");
  EXPECT_EQ(insert.json.As<ast::Constant>()->text, "{}");
  EXPECT_TRUE(insert.default_unset);
  EXPECT_FALSE(ParseAs<ast::InsertJson>("INSERT INTO t JSON ? DEFAULT NULL").default_unset);
}

TEST(Modification, Assignments) {
  const struct {
    std::string_view text;
    AssignmentKind kind;
    std::string_view value;
  } cases[] = {
      {"c = 1", AssignmentKind::kSet, "1"},
      {"c = f(1) + 2", AssignmentKind::kSet, "f(1) + 2"},
      {"c = c + 1", AssignmentKind::kAdd, "1"},
      {"c = c - 1", AssignmentKind::kSubtract, "1"},
      {"c = c -1", AssignmentKind::kAdd, "-1"},
      {"c = \"c\" + ?", AssignmentKind::kAdd, "?"},
      {"c += {1}", AssignmentKind::kAdd, "{1}"},
      {"c -= [1]", AssignmentKind::kSubtract, "[1]"},
      {"c = [1] + c", AssignmentKind::kPrepend, "[1]"},
      {"c = ? + c", AssignmentKind::kPrepend, "?"},
  };
  for (const auto& [text, kind, value] : cases) {
    const auto update = ParseAs<ast::Update>("UPDATE t SET " + std::string(text) + " WHERE k = 1");
    ASSERT_EQ(update.assignments.size(), 1u) << text;
    EXPECT_EQ(update.assignments[0].column.text, "c") << text;
    EXPECT_EQ(update.assignments[0].kind, kind) << text;
    EXPECT_EQ(PrintTerm(update.assignments[0].value), value) << text;
  }
}

TEST(Modification, PartsOfColumns) {
  const auto update = ParseAs<ast::Update>("UPDATE t SET l[0] = 1, u.f = 2, c = 3 WHERE k = 1");
  ASSERT_EQ(update.assignments.size(), 3u);
  EXPECT_TRUE(std::holds_alternative<ast::Term>(update.assignments[0].part));
  EXPECT_EQ(std::get<ast::Name>(update.assignments[1].part).text, "f");
  EXPECT_TRUE(std::holds_alternative<std::monostate>(update.assignments[2].part));

  const auto statement = ParseAs<ast::Delete>("DELETE a, m['x'], u.f FROM t WHERE k = 1");
  ASSERT_EQ(statement.deletions.size(), 3u);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(statement.deletions[0].part));
  EXPECT_TRUE(std::holds_alternative<ast::Term>(statement.deletions[1].part));
  EXPECT_TRUE(std::holds_alternative<ast::Name>(statement.deletions[2].part));
}

TEST(Modification, TwoAssignmentsOfAColumnMayFitTogether) {
  const auto accepted = [](std::string_view set) {
    return ParseStatement("UPDATE t SET " + std::string(set) + " WHERE k = 1").has_value();
  };
  EXPECT_TRUE(accepted("m[1] = 1, m[1] = 2"));
  EXPECT_TRUE(accepted("l = l + [1], l = [2] + l"));
  EXPECT_TRUE(accepted("u.f = 1, u.g = 2"));
  EXPECT_FALSE(accepted("a = 1, a = 1"));
  EXPECT_FALSE(accepted("a = a + 1, a = 1"));
  EXPECT_FALSE(accepted("a = 1, a[1] = 1"));
  EXPECT_FALSE(accepted("u.f = 1, u.f = 2"));
}

TEST(Modification, Conditions) {
  const auto update = ParseAs<ast::Update>(
      "UPDATE t SET a = 1 WHERE k = 1 IF a = 1 AND m['x'] IN (1, 2) AND u.f IN ? AND b CONTAINS 3");
  EXPECT_FALSE(update.conditions.exists);
  const auto& conditions = update.conditions.conditions;
  ASSERT_EQ(conditions.size(), 4u);
  EXPECT_EQ(conditions[0].op, ast::RelationOperator::kEqual);
  EXPECT_EQ(std::get<std::vector<ast::Term>>(conditions[1].right).size(), 2u);
  EXPECT_TRUE(std::holds_alternative<ast::Term>(conditions[2].right));
  EXPECT_EQ(std::get<ast::Name>(conditions[2].part).text, "f");
  EXPECT_EQ(conditions[3].op, ast::RelationOperator::kContains);

  EXPECT_TRUE(ParseAs<ast::Delete>("DELETE FROM t WHERE k = 1 IF EXISTS").conditions.exists);
}

TEST(Modification, Batch) {
  const auto batch = ParseAs<ast::Batch>(
      "BEGIN UNLOGGED BATCH USING TIMESTAMP 1 INSERT INTO t (a) VALUES (1); INSERT INTO t JSON '' "
      "UPDATE t SET a = 1 WHERE k = 1; DELETE FROM t WHERE k = 1 APPLY BATCH");
  EXPECT_EQ(batch.kind, ast::BatchKind::kUnlogged);
  EXPECT_TRUE(batch.attributes.timestamp.has_value());
  ASSERT_EQ(batch.statements.size(), 4u);
  EXPECT_TRUE(std::holds_alternative<ast::Insert>(batch.statements[0]));
  EXPECT_TRUE(std::holds_alternative<ast::InsertJson>(batch.statements[1]));
  EXPECT_TRUE(std::holds_alternative<ast::Update>(batch.statements[2]));
  EXPECT_TRUE(std::holds_alternative<ast::Delete>(batch.statements[3]));
  EXPECT_EQ(ParseAs<ast::Batch>("BEGIN BATCH APPLY BATCH").kind, ast::BatchKind::kLogged);
  EXPECT_EQ(ParseAs<ast::Batch>("BEGIN COUNTER BATCH APPLY BATCH").kind, ast::BatchKind::kCounter);
}

}  // namespace
}  // namespace orrery::cassandra
