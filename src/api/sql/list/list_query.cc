#include "api/sql/list/list_query.h"

#include <random>
#include <utility>
#include <variant>

#include "api/sql/evaluate/binder.h"
#include "api/sql/parser/parser.h"

namespace orrery::sql {
namespace {

using model::Kind;

// RAND() in such a query is nobody's secret.
class QueryRandom final : public RandomSource {
 public:
  explicit QueryRandom(Micros now) : engine_(static_cast<uint64_t>(now.count())) {}
  double Next() override { return std::generate_canonical<double, 53>(engine_); }

 private:
  std::mt19937_64 engine_;
};

std::unexpected<Error> TooMuch() {
  return Fail(Code::kInvalidArgument,
              "a query over these resources has the form SELECT * FROM r WHERE .. or SELECT VALUE "
              ".. FROM r WHERE ..");
}

// The names that the query's one source has.
Result<Scope> ScopeOf(const ast::Query& query) {
  Scope scope;
  if (query.sources.empty()) return scope;
  const ast::Source& source = query.sources.front();
  const auto* collection = std::get_if<ast::Expression>(&source.collection);
  if (collection == nullptr || source.is_iterated) return TooMuch();
  const auto* name = std::get_if<ast::Identifier>(&collection->node);
  if (name == nullptr) return TooMuch();
  scope.Add(source.alias.has_value() ? source.alias->text : name->name, 0);
  return scope;
}

bool IsSimple(const ast::Query& query) {
  return query.sources.size() <= 1 && query.group_by.empty() && !query.order_by.has_value() &&
         !query.offset_limit.has_value() && !query.select.is_distinct &&
         !query.select.top.has_value() &&
         !std::holds_alternative<ast::SelectList>(query.select.what);
}

struct BoundQuery {
  BoundExpressionPtr where;  // null: all
  BoundExpressionPtr value;  // null: the resource itself
};

Result<BoundQuery> BindQuery(const QueryText& text, const FunctionRegistry& functions) {
  const Parsed<ast::Query> query = ParseQuery(text.text);
  if (!query.has_value()) return Fail(query.error().ToError());
  if (!IsSimple(*query)) return TooMuch();
  ORRERY_ASSIGN(const Scope scope, ScopeOf(*query));
  const BindContext context{
      .text = text.text, .scope = scope, .parameters = text.parameters, .functions = functions};
  BoundQuery bound;
  const auto bind = [&](const ast::Expression& expression, BoundExpressionPtr& to) -> Status {
    Parsed<BoundExpressionPtr> result = Bind(expression, context);
    if (!result.has_value()) return Fail(result.error().ToError());
    to = *std::move(result);
    return {};
  };
  if (query->where.has_value()) ORRERY_TRY(bind(*query->where, bound.where));
  if (const auto* select = std::get_if<ast::SelectValue>(&query->select.what); select != nullptr)
    ORRERY_TRY(bind(select->value, bound.value));
  return bound;
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
  ORRERY_ASSIGN(const BoundQuery bound, BindQuery(query, functions_));
  QueryRandom random(clock_.Now());
  const CallContext context{clock_, random, clock_.Now()};
  std::vector<model::Value> rows;
  for (model::Value& resource : resources) {
    const model::Value* const slots[] = {&resource};
    Frame frame{.slots = slots, .context = context};
    if (bound.where != nullptr) {
      ORRERY_ASSIGN(const Truth truth, sql::Holds(*bound.where, frame));
      if (truth != Truth::kTrue) continue;
    }
    if (bound.value == nullptr) {
      rows.push_back(std::move(resource));
      continue;
    }
    model::Value scratch;
    ORRERY_ASSIGN(const model::Value* value, bound.value->Evaluate(frame, scratch));
    model::Value row = Take(value, scratch);
    if (!row.is_undefined()) rows.push_back(std::move(row));
  }
  return rows;
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
