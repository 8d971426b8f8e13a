// The facade of queries: text in, pages of rows out.
//
// A query is parsed and bound for each page, the documents that it needs are found by key or index
// where that is possible, and it is executed until the page is full, has cost enough, or there is
// no more. What goes on where is in the token that comes back. Rows that a sort or GROUP BY has
// made for the pages after it may be kept in a registry; a page does not depend on it.
//
// Thread-safe. Run blocks: call it on the gateway's I/O pool. All must outlive the engine.
#pragma once

#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "api/sql/function/function_registry.h"
#include "api/sql/query/plan/query_plan.h"
#include "api/sql/query/query_limits.h"
#include "api/sql/query/query_request.h"
#include "base/clock.h"
#include "gateway/gateway.h"
#include "query/cursor/cursor_registry.h"
#include "query/source/document_source.h"

namespace orrery::sql {

class QueryEngine {
 public:
  // `kept` null: no rows are kept between pages.
  QueryEngine(gateway::Gateway& gateway, const FunctionRegistry& functions, const Clock& clock,
              QueryLimits limits = {}, query::CursorRegistry* kept = nullptr)
      : gateway_(gateway), functions_(functions), clock_(clock), limits_(limits), kept_(kept) {}

  // One page. kInvalidArgument also for a token that is none, or was made for another query;
  // kCancelled when the request's context says so; errors of the gateway as they are.
  std::expected<QueryPage, QueryFailure> Run(const QueryRequest& request) const;

  // The same over documents that the gateway does not have, such as what a stored procedure has not
  // committed yet. `open` gives them from a position on that an earlier source of the same kind
  // answered, or from the beginning for an empty one; it is not called when the query reads none.
  // Documents that `wanted` leaves out need not be given; the order is the same in any case.
  struct Wanted {
    std::optional<std::string> id;          // the one with this id
    std::optional<item::IndexRange> index;  // those with one value in an index
  };
  using OpenDocuments = std::function<Result<std::unique_ptr<query::DocumentSource>>(
      std::string_view position, const Wanted& wanted)>;
  std::expected<QueryPage, QueryFailure> RunOver(const QueryRequest& request,
                                                 const OpenDocuments& open) const;

  // The plan by which a client may execute the query itself, partition by partition, as JSON
  // (plan/query_plan.h). Parameters may lack values, which the client has when it executes.
  struct PlanRequest {
    std::string_view text;
    const Parameters& parameters;
    const ComputedProperties& computed;
    const gateway::ContainerEntry& container;
    PlanFeatures features;
    const VectorDefaults& vectors = kNoVectorDefaults;
  };
  std::expected<std::string, QueryFailure> Plan(const PlanRequest& request) const;

 private:
  // `open` null: through the gateway.
  std::expected<QueryPage, QueryFailure> Execute(const QueryRequest& request,
                                                 const OpenDocuments* open) const;

  gateway::Gateway& gateway_;
  const FunctionRegistry& functions_;
  const Clock& clock_;
  const QueryLimits limits_;
  query::CursorRegistry* const kept_;
};

}  // namespace orrery::sql
