#include "api/cassandra/executor/statement/statement_access.h"

#include <gtest/gtest.h>

#include "api/cassandra/planner/test_writes.h"
#include "api/cassandra/types/type_builder.h"

namespace orrery::cassandra {
namespace {

using ast::Permission;
using testing::Int;
using testing::TableBuilder;

// Notes what is asked for, and refuses one resource.
class FakePolicy final : public AccessPolicy {
 public:
  CqlStatus Require(const Client&, Permission permission, const Resource& resource) const override {
    asked.push_back(std::string(NameOf(permission)) + " " + resource.path);
    if (resource.path == refused) return Refuse(ErrorCode::kUnauthorized, "no");
    return {};
  }
  CqlResult<Outcome> Run(const ast::Statement&, const Client&) override { return Outcome{}; }
  void Created(const Client&, const Resource&) override {}
  void Dropped(const Resource&) override {}

  static std::string_view NameOf(Permission permission) {
    switch (permission) {
      case Permission::kCreate:
        return "create";
      case Permission::kAlter:
        return "alter";
      case Permission::kDrop:
        return "drop";
      case Permission::kSelect:
        return "select";
      case Permission::kModify:
        return "modify";
      case Permission::kExecute:
        return "execute";
      default:
        return "other";
    }
  }

  std::string refused;
  mutable std::vector<std::string> asked;
};

using Asked = std::vector<std::string>;

class StatementAccess : public ::testing::Test {
 protected:
  // Returns the permissions that a statement needs, with the session in keyspace "mine".
  Asked NeedsOf(std::string_view text) {
    auto parsed = ParseStatement(text);
    EXPECT_TRUE(parsed.has_value()) << text;
    PlannedStatement planned;
    planned.schema = std::make_shared<const Schema>();
    planned.keyspace = "mine";
    planned.plan = std::make_shared<const ast::Statement>(std::move(parsed->statement));
    return NeedsOf(planned);
  }
  Asked NeedsOf(PlannedStatement planned) {
    policy_.asked.clear();
    auto requirements = RequirementsOf(planned);
    EXPECT_TRUE(requirements.has_value());
    planned.requirements = *std::move(requirements);
    status_ = RequireAccess(policy_, client_, planned);
    return policy_.asked;
  }
  ModificationPlanPtr Write(std::string_view text) { return testing::PlanWrite(table_, text).plan; }

  const TablePtr table_ = TableBuilder().Key("k", Int()).Regular("v", Int()).Build();
  FakePolicy policy_;
  Client client_;
  CqlStatus status_;
};

TEST_F(StatementAccess, ReadsNeedSelect) {
  PlannedStatement planned;
  planned.plan = testing::PlanText(table_, "SELECT v FROM ks.t").plan;
  EXPECT_EQ(NeedsOf(planned), Asked{"select data/ks/t"});
}

TEST_F(StatementAccess, AViewIsAsSecretAsItsTable) {
  const TablePtr view =
      TableBuilder("v").Key("k", Int()).Regular("v", Int()).ViewOn("base").Build();
  PlannedStatement planned;
  planned.plan = testing::PlanText(view, "SELECT v FROM ks.v").plan;
  EXPECT_EQ(NeedsOf(planned), Asked{"select data/ks/base"});
}

TEST_F(StatementAccess, WritesNeedModifyAndConditionsLook) {
  PlannedStatement planned;
  planned.plan = Write("UPDATE ks.t SET v = 1 WHERE k = 1");
  EXPECT_EQ(NeedsOf(planned), Asked{"modify data/ks/t"});
  planned.plan = Write("UPDATE ks.t SET v = 1 WHERE k = 1 IF v = 2");
  EXPECT_EQ(NeedsOf(planned), (Asked{"modify data/ks/t", "select data/ks/t"}));
}

TEST_F(StatementAccess, EveryStatementOfABatchIsAskedFor) {
  auto batch = std::make_shared<BatchPlan>();
  batch->statements = {Write("UPDATE ks.t SET v = 1 WHERE k = 1"),
                       Write("DELETE FROM ks.t WHERE k = 1 IF EXISTS")};
  PlannedStatement planned;
  planned.plan = std::shared_ptr<const BatchPlan>(batch);
  EXPECT_EQ(NeedsOf(planned), (Asked{"modify data/ks/t", "modify data/ks/t", "select data/ks/t"}));
}

TEST_F(StatementAccess, TheFirstRefusalEndsIt) {
  policy_.refused = "data/ks/t";
  PlannedStatement planned;
  planned.plan = Write("UPDATE ks.t SET v = 1 WHERE k = 1 IF v = 2");
  EXPECT_EQ(NeedsOf(planned), Asked{"modify data/ks/t"});
  EXPECT_EQ(status_.error().code, ErrorCode::kUnauthorized);
}

TEST_F(StatementAccess, FunctionsOfUsersNeedExecute) {
  class Twice final : public ScalarFunction {
   public:
    Twice() : ScalarFunction({"ks", "twice"}, {Int(), testing::Text()}, Int()) {}
    FunctionResult Call(FunctionContext&, FunctionArguments) const override { return std::nullopt; }
  };
  PlannedStatement planned;
  planned.plan = testing::PlanText(table_, "SELECT v FROM ks.t").plan;
  planned.called = {std::make_shared<Twice>()};
  EXPECT_EQ(NeedsOf(planned), (Asked{"execute functions/ks/twice[int^text]", "select data/ks/t"}));
}

TEST_F(StatementAccess, SchemaStatements) {
  const std::string replication =
      " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}";
  EXPECT_EQ(NeedsOf("CREATE KEYSPACE a" + replication), Asked{"create data"});
  EXPECT_EQ(NeedsOf("ALTER KEYSPACE a" + replication), Asked{"alter data/a"});
  EXPECT_EQ(NeedsOf("DROP KEYSPACE a"), Asked{"drop data/a"});
  EXPECT_EQ(NeedsOf("CREATE TABLE a.t (k int PRIMARY KEY)"), Asked{"create data/a/*"});
  EXPECT_EQ(NeedsOf("ALTER TABLE t ADD v int"), Asked{"alter data/mine/t"});
  EXPECT_EQ(NeedsOf("DROP TABLE a.t"), Asked{"drop data/a/t"});
  EXPECT_EQ(NeedsOf("CREATE INDEX ON t (v)"), Asked{"alter data/mine/t"});
  EXPECT_EQ(NeedsOf("DROP TYPE a.u"), Asked{"drop data/a"});
  EXPECT_EQ(NeedsOf("DROP FUNCTION a.f"), Asked{"drop functions/a"});
  EXPECT_EQ(NeedsOf("TRUNCATE t"), Asked{"modify data/mine/t"});
}

TEST_F(StatementAccess, WhatIsNotThereIsLeftToTheStatement) {
  EXPECT_EQ(NeedsOf("DROP INDEX a.i"), Asked{});
  EXPECT_EQ(NeedsOf("DROP MATERIALIZED VIEW a.v"), Asked{});
  EXPECT_EQ(NeedsOf("USE a"), Asked{});
}

TEST_F(StatementAccess, ABaseWithoutAKeyspaceIsInItsViews) {
  constexpr std::string_view kRest = " WHERE a IS NOT NULL AND b IS NOT NULL PRIMARY KEY (b, a)";
  const auto needs = [&](std::string_view head) {
    return NeedsOf(std::string(head) + std::string(kRest));
  };
  EXPECT_EQ(needs("CREATE MATERIALIZED VIEW other.v AS SELECT * FROM base"),
            Asked{"alter data/other/base"});
  EXPECT_EQ(needs("CREATE MATERIALIZED VIEW v AS SELECT * FROM base"),
            Asked{"alter data/mine/base"});
}

}  // namespace
}  // namespace orrery::cassandra
