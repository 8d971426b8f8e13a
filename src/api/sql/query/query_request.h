// The request and the response of the query engine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "api/sql/evaluate/frame.h"
#include "api/sql/evaluate/parameters.h"
#include "api/sql/parser/query_error.h"
#include "api/sql/query/bind/vector_defaults.h"
#include "api/sql/query/computed/computed_properties.h"
#include "base/clock.h"
#include "base/request_context.h"
#include "base/request_units.h"
#include "gateway/requests.h"
#include "query/access/index_use.h"

namespace orrery::sql {

struct QueryRequest {
  gateway::ContainerRef container = {};
  std::string text = {};
  Parameters parameters = {};
  ComputedProperties computed = {};  // the container's
  VectorDefaults vectors = {};       // the container's
  // Only documents of this key; of a hierarchical key also its first values only.
  std::optional<gateway::KeyValues> partition_key = {};
  std::optional<partition::HashRange> range = {};  // only documents of this part of the ring
  int64_t max_items = -1;                          // of a page; -1: as many as the engine likes
  std::string continuation = {};                   // of the page before; empty for the first
  std::string session = {};
  UserFunctions* user_functions = nullptr;  // must outlive the call; null: udf.f() fails
  bool wants_index_use = false;
  RequestContext context = {};  // when to stop
};

// The cost and the work of a page, counted as it was done.
struct QueryMetrics {
  Micros total_time{0};
  Micros compile_time{0};
  size_t examined = 0;  // records and index entries
  size_t retrieved_documents = 0;
  size_t retrieved_bytes = 0;
  size_t output_rows = 0;
  size_t output_bytes = 0;
  bool used_index = false;  // or the documents' own keys

  // "totalExecutionTimeInMs=0.12;queryCompileTimeInMs=0.05;...": what clients read from a header.
  std::string ToText() const;
};

struct QueryPage {
  std::vector<std::string> rows;  // each as JSON
  std::string continuation;       // empty when there are no more rows
  RequestUnits charge;
  std::string session;
  QueryMetrics metrics;
  query::IndexUse indexes = {};  // when it is wanted
};

// Something is wrong with the query's text, or it could not be executed.
using QueryFailure = std::variant<QueryError, Error>;

}  // namespace orrery::sql
