#include "api/sql/list/list_query.h"

#include <charconv>
#include <optional>
#include <utility>

#include "api/sql/parser/parser.h"
#include "api/sql/query/bind/grouping.h"
#include "api/sql/query/bind/query_binder.h"
#include "api/sql/query/query_random.h"
#include "api/sql/query/run/operator_plan_maker.h"
#include "model/value_size.h"
#include "query/run/page_run.h"
#include "query/source/document_source.h"

namespace orrery::sql {
namespace {

using model::Kind;

// The resources in their order. A resource's key is its number, with as many digits for all.
class ListSource final : public query::DocumentSource {
 public:
  // `resources` must outlive the source.
  ListSource(const std::vector<model::Value>& resources, std::string_view position)
      : resources_(resources) {
    // Only Position() makes positions.
    std::from_chars(position.data(), position.data() + position.size(), next_);
  }

  Result<bool> Next() override {
    if (exhausted()) return false;
    key_ = std::to_string(kFirstKey + next_++);
    return true;
  }
  bool exhausted() const override { return next_ == resources_.size(); }
  const model::Value& document() const override { return resources_[next_ - 1]; }
  std::string_view key() const override { return key_; }
  std::string Position(Resume resume) const override {
    return std::to_string(resume == Resume::kBehind ? next_ : next_ - 1);
  }

 private:
  static constexpr size_t kFirstKey = 1'000'000'000;

  const std::vector<model::Value>& resources_;
  size_t next_ = 0;
  std::string key_;
};

// The rows as values.
class Rows final : public query::RowWriter {
 public:
  size_t Write(const model::Value& row) override {
    values.push_back(row);
    return model::ApproximateBytes(row);
  }

  std::vector<model::Value> values;
};

std::string_view PositionIn(const std::optional<query::QueryToken>& token) {
  if (!token.has_value()) return {};
  if (const auto* state = std::get_if<query::DocumentState>(&token->state)) return state->position;
  if (const auto* state = std::get_if<query::AggregateState>(&token->state)) return state->position;
  return {};
}

}  // namespace

Result<QueryText> QueryTextFrom(model::DocumentView body) {
  QueryText query;
  const auto text = body.Find("query");
  if (!text.has_value() || text->kind() != Kind::kString)
    return Fail(Code::kInvalidArgument, "'query' is required and must be a string");
  query.text = text->AsString();
  const auto parameters = body.Find("parameters");
  if (!parameters.has_value() || parameters->kind() == Kind::kNull) return query;
  if (parameters->kind() != Kind::kArray)
    return Fail(Code::kInvalidArgument, "'parameters' must be an array");
  for (const model::ElementView element : parameters->AsDocument()) {
    const model::Value parameter = element.ToValue();
    const model::Value* name = parameter.Find("name");
    const model::Value* value = parameter.Find("value");
    if (name == nullptr || name->kind() != Kind::kString) {
      return Fail(Code::kInvalidArgument,
                  R"(each of 'parameters' has the form {"name":"@x","value":1})");
    }
    query.parameters.Set(name->AsString(), value == nullptr ? model::Value() : *value);
  }
  return query;
}

Result<std::vector<model::Value>> ListQueries::Run(const QueryText& query,
                                                   std::vector<model::Value> resources) const {
  Parsed<ast::Query> tree = ParseQuery(query.text);
  if (!tree.has_value()) return Fail(tree.error().ToError());
  DropOrderOfOneRow(*tree, functions_);
  const Parsed<BoundQuery> bound = BindQuery(*tree, {.text = query.text,
                                                     .parameters = query.parameters,
                                                     .functions = functions_,
                                                     .limits = limits_});
  if (!bound.has_value()) return Fail(bound.error().ToError());
  QueryRandom random(clock_.Now());
  const CallContext calls{clock_, random, clock_.Now()};
  const std::vector<const model::Value*> slots(bound->slot_count, &query::kUndefined);
  const FrameContext frame_context(calls);
  const Frame frame{.slots = slots, .context = frame_context};
  const query::OperatorPlan plan = OperatorPlanOf(*bound);
  const query::RunKind kind = query::RunKindOf(plan, /*documents_are_ordered=*/false);

  Rows rows;
  std::optional<query::QueryToken> token;
  do {
    ListSource source(resources, PositionIn(token));
    ORRERY_ASSIGN(query::Page page, query::RunPage(kind,
                                                   {.plan = plan,
                                                    .frame = frame,
                                                    .documents = &source,
                                                    .writer = rows,
                                                    .limits = limits_,
                                                    .api = query::Api::kSql,
                                                    .rows_max = limits_.page_rows_max,
                                                    .query_hash = 0},
                                                   token));
    token = std::move(page.next);
  } while (token.has_value());
  return std::move(rows.values);
}

Result<bool> ListQueries::Holds(std::string_view condition, model::Value document) const {
  std::vector<model::Value> documents;
  documents.push_back(std::move(document));
  ORRERY_ASSIGN(
      const auto rows,
      Run({.text = "SELECT * " + std::string(condition), .parameters = {}}, std::move(documents)));
  return !rows.empty();
}

}  // namespace orrery::sql
