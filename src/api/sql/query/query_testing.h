// Queries over documents in memory, for tests: tables of a query and its rows, as JSON.
//
// Each query is executed with pages of many rows, of two and of one, each page from the token of
// the one before, and with rows kept between them: the rows must be the same.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/sql/function/function_testing.h"
#include "api/sql/parser/parser.h"
#include "api/sql/query/bind/query_binder.h"
#include "api/sql/query/run/operator_plan_maker.h"
#include "api/sql/query/run/row_json.h"
#include "base/metrics.h"
#include "model/document/json.h"
#include "model/number/number.h"
#include "query/run/page_run.h"
#include "query/run/row_keeper.h"
#include "query/source/document_source.h"

namespace orrery::sql {

// A document's key is its number.
class MemorySource final : public query::DocumentSource {
 public:
  // Pauses after so many documents; 0: never.
  MemorySource(const std::vector<model::Value>& documents, std::string_view position,
               size_t pause_after = 0)
      : documents_(documents), pause_after_(pause_after) {
    if (!position.empty()) next_ = std::stoul(std::string(position));
  }

  Result<bool> Next() override {
    if (pause_after_ > 0 && given_ == pause_after_ && next_ < documents_.size()) {
      is_paused_ = true;
      return false;
    }
    if (next_ == documents_.size()) return false;
    ++given_;
    key_ = std::to_string(1'000'000 + next_++);
    return true;
  }
  bool paused() const override { return is_paused_; }
  bool exhausted() const override { return next_ == documents_.size(); }
  const model::Value& document() const override { return documents_[next_ - 1]; }
  std::string_view key() const override { return key_; }
  std::string Position(Resume resume) const override {
    return std::to_string(resume == Resume::kBehind ? next_ : next_ - 1);
  }

 private:
  const std::vector<model::Value>& documents_;
  const size_t pause_after_;
  size_t next_ = 0;
  size_t given_ = 0;
  std::string key_;
  bool is_paused_ = false;
};

// udf.twice(n)
class TestFunctions final : public UserFunctions {
 public:
  Result<Value> Call(std::string_view name, Arguments arguments) override {
    if (name != "twice") return Fail(Code::kNotFound, "no such function");
    return model::NumberFromDouble(2 * model::ToDouble(arguments[0]));
  }
};

struct QueryCase {
  std::string_view query;
  std::string_view rows;  // separated by commas
};

class QueryTest : public testing::Test {
 protected:
  // A JSON array.
  void SetDocuments(std::string_view json) {
    const Value list = ParseText(json);
    documents_ = list.AsValues();
  }
  void SetParameter(std::string_view name, std::string_view json) {
    parameters_.Set(name, ParseText(json));
  }

  QueryBindContext ContextOf(std::string_view text) const {
    return {.text = text,
            .parameters = parameters_,
            .functions = registry_,
            .limits = limits_,
            .computed = computed_};
  }

  // "[row,row]", or the error.
  std::string Run(std::string_view text, size_t page_rows, size_t pause_after = 0,
                  bool keeps_rows = false) {
    const Parsed<ast::Query> tree = ParseQuery(text);
    if (!tree.has_value()) return tree.error().code + " " + tree.error().message;
    const Parsed<BoundQuery> query = BindQuery(*tree, ContextOf(text));
    if (!query.has_value()) return query.error().code + " " + query.error().message;
    const query::OperatorPlan plan = OperatorPlanOf(*query);
    const query::RunKind kind = query::RunKindOf(plan, /*documents_are_ordered=*/false);
    std::string rows = "[";
    std::optional<query::QueryToken> token;
    constexpr int kPagesMax = 1'000;
    for (int pages = 0; pages < kPagesMax; ++pages) {
      JsonRows written;
      const Result<query::Page> page =
          keeps_rows ? KeptPageAfter(plan, kind, token, page_rows, written)
                     : PageAfter(plan, kind, token, page_rows, pause_after, written);
      if (!page.has_value()) return page.error().ToString();
      for (const std::string& row : written.rows) rows += (rows.size() > 1 ? "," : "") + row;
      if (!page->next.has_value()) return rows + "]";
      const auto decoded =
          query::DecodeQueryToken(query::EncodeQueryToken(*page->next), query::Api::kSql, 7);
      EXPECT_TRUE(decoded.has_value());
      token = *decoded;
    }
    return "the pages do not end";
  }

  void Expect(std::initializer_list<QueryCase> cases) {
    for (const QueryCase& c : cases) {
      const std::string expected = model::ToJson(ParseText("[" + std::string(c.rows) + "]"));
      for (const size_t page_rows : {1'000u, 2u, 1u})
        EXPECT_EQ(Run(c.query, page_rows), expected) << c.query << ", pages of " << page_rows;
      EXPECT_EQ(Run(c.query, 3, /*pause_after=*/1), expected) << c.query << ", with pauses";
      for (const size_t page_rows : {2u, 1u}) {
        for (const size_t ahead_bytes_max : {QueryLimits().ahead_bytes_max, size_t{500}}) {
          limits_.ahead_bytes_max = ahead_bytes_max;
          EXPECT_EQ(Run(c.query, page_rows, 0, /*keeps_rows=*/true), expected)
              << c.query << ", kept pages of " << page_rows;
        }
      }
    }
  }

  void ExpectError(std::string_view query, std::string_view error) {
    EXPECT_EQ(Run(query, 100), error) << query;
  }

  QueryLimits limits_;
  std::vector<Value> documents_;
  Parameters parameters_;
  ComputedProperties computed_;
  FunctionRegistry registry_;
  ManualClock clock_;
  FixedRandom random_;
  TestFunctions user_functions_;
  int kept_pages_ = 0;  // that were made of kept rows

 private:
  // A page with the rows that the page before has kept, where there are any. It must be the page
  // that is computed without them.
  Result<query::Page> KeptPageAfter(const query::OperatorPlan& plan, query::RunKind kind,
                                    std::optional<query::QueryToken> token, size_t page_rows,
                                    JsonRows& rows) {
    query::RowKeeper keeper(kept_, "the query", "");
    JsonRows computed_rows;
    auto computed = PageAfter(plan, kind, token, page_rows, 0, computed_rows, /*keeps_rows=*/true);
    if (!computed.has_value()) return computed;
    std::optional<query::Page> found;
    if (token.has_value()) {
      WithContext(plan, page_rows, nullptr, rows, /*keeps_rows=*/true,
                  [&](const query::PageContext& context) { found = keeper.Find(context, *token); });
    }
    if (!found.has_value()) {
      rows.rows = computed_rows.rows;
      keeper.Keep(*computed, {});
      return computed;
    }
    ++kept_pages_;
    EXPECT_EQ(rows.rows, computed_rows.rows);
    EXPECT_EQ(found->next.has_value(), computed->next.has_value());
    if (found->next.has_value() && computed->next.has_value()) {
      query::QueryToken next = *found->next;
      next.run = {};
      EXPECT_EQ(next, *computed->next);
    }
    return *std::move(found);
  }

  Result<query::Page> PageAfter(const query::OperatorPlan& plan, query::RunKind kind,
                                const std::optional<query::QueryToken>& token, size_t page_rows,
                                size_t pause_after, JsonRows& rows, bool keeps_rows = false) {
    std::string position;
    if (token.has_value() && kind == query::RunKind::kDocuments)
      position = std::get<query::DocumentState>(token->state).position;
    if (token.has_value() && kind == query::RunKind::kAggregate)
      position = std::get<query::AggregateState>(token->state).position;
    MemorySource source(documents_, position, query::MayPause(kind) ? pause_after : 0);
    Result<query::Page> page;
    WithContext(plan, page_rows, &source, rows, keeps_rows, [&](const query::PageContext& context) {
      page = query::RunPage(kind, context, token);
    });
    return page;
  }

  template <typename Use>
  void WithContext(const query::OperatorPlan& plan, size_t page_rows,
                   query::DocumentSource* documents, JsonRows& rows, bool keeps_rows, Use use) {
    const CallContext calls{clock_, random_, clock_.Now()};
    const std::vector<const Value*> slots(plan.slot_count, &query::kUndefined);
    const FrameContext frame_context(calls, &user_functions_);
    const Frame frame{slots, frame_context};
    use(query::PageContext{.plan = plan,
                           .frame = frame,
                           .documents = documents,
                           .writer = rows,
                           .limits = limits_,
                           .api = query::Api::kSql,
                           .rows_max = page_rows,
                           .query_hash = 7,
                           .keeps_rows = keeps_rows});
  }

  MetricsRegistry metrics_;
  uint64_t next_id_ = 1;
  query::CursorRegistry kept_{{.clock = clock_,
                               .metrics = metrics_,
                               .random = [this] { return next_id_++; },
                               .api = "sql",
                               .limits = {}}};
};

}  // namespace orrery::sql
