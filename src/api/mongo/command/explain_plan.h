// An ExplainPlan is how a query would be run, or was run, in the shape in which MongoDB's clients
// read it: a tree of stages from the last one down to the scan.
//
// Used by one thread at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "api/mongo/executor/read/collection_scan.h"
#include "api/mongo/executor/read/find.h"
#include "api/mongo/executor/run_state.h"
#include "gateway/gateway.h"
#include "model/document/document_builder.h"

namespace orrery::mongo {

// The counts of a query that was run.
struct ExplainRun {
  int64_t returned = 0;
  int64_t duration_ms = 0;
  RunState state = {};
};

// A query as explain describes it.
struct ExplainedQuery {
  Namespace name;
  FindRequest request = {};  // without a collection: there is none
  model::DocumentView filter = {};
  std::optional<model::DocumentView> sort = {};
  std::optional<model::DocumentView> projection = {};
  std::string top_stage = {};       // around all others: "COUNT", "UPDATE", "DELETE"
  model::Document top_fields = {};  // of that stage, when it was run
};

class ExplainPlan {
 public:
  // The gateway must outlive the plan.
  ExplainPlan(gateway::Gateway& gateway, const ExplainedQuery& query);

  // Appends queryPlanner: {namespace, parsedQuery, winningPlan, rejectedPlans, ...}.
  void AppendPlanner(model::DocumentBuilder& out) const;
  // Appends executionStats of a run.
  void AppendStats(model::DocumentBuilder& out, const ExplainRun& run, bool has_all_plans) const;
  // Returns how many partitions the scan reads.
  size_t partitions() const { return partitions_; }

 private:
  void AppendTree(model::DocumentBuilder& out, const ExplainRun* run) const;
  void AppendTextMatch(model::DocumentBuilder& out, const ExplainRun* run) const;
  void AppendScan(model::DocumentBuilder& out, const ExplainRun* run) const;
  void AppendIndex(model::DocumentBuilder& out, const query::IndexPath& path,
                   const ExplainRun* run) const;

  const ExplainedQuery& query_;
  query::AccessPath path_;
  bool is_sorted_ = false;  // by the scan
  size_t partitions_ = 0;
};

}  // namespace orrery::mongo
