// OwnerWork is the part of a query that the owners of its partitions do, as data that a scan
// carries (gateway/requests.h, ScanSpec): what they leave out is neither decoded nor sent. Pure.
#pragma once

#include <memory>
#include <optional>

#include "api/sql/parser/ast/query.h"
#include "api/sql/query/bind/bound_query.h"
#include "api/sql/query/condition/condition_context.h"
#include "api/sql/query/condition/grouping_finder.h"
#include "model/document/projection.h"
#include "model/expression/expression.h"
#include "query/access/access_path.h"

namespace orrery::sql {

struct OwnerWork {
  // The groups that they give instead of documents; then they filter, too, and nothing else need.
  std::optional<FoundGrouping> groups = {};
  std::optional<model::Path> entry_path = {};  // of the index whose entries are enough for that
  std::shared_ptr<const model::Expression> filter;  // null: they give all documents
  bool is_filtered = false;                         // what they give needs no WHERE
  // The parts of documents that the query looks at, and that their order is found by; null: all.
  std::shared_ptr<const model::Projection> projection;
};

struct OwnerWorkInput {
  const ast::Query& tree;  // reads the container, itself or by a query in its FROM
  const BoundQuery& bound;
  const ConditionContext& context;
  const query::AccessPath& path;
  bool gathers_ties = false;  // documents of one value are gathered
  bool pauses = false;        // between pauses
  bool may_group = true;      // documents are not wanted one by one, from one of them on
};
OwnerWork OwnerWorkOf(const OwnerWorkInput& input);

}  // namespace orrery::sql
