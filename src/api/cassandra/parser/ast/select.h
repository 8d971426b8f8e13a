// SELECT.
#pragma once

#include <optional>
#include <vector>

#include "api/cassandra/parser/ast/restriction.h"
#include "api/cassandra/parser/ast/term.h"

namespace orrery::cassandra::ast {

struct Selector {
  Term value;
  std::optional<Name> alias;
};

struct Ordering {
  Name column;
  bool descending = false;
  std::optional<Term> nearest_to;  // of ORDER BY v ANN OF [..]
};

struct Select {
  bool is_json = false;
  bool is_distinct = false;
  std::vector<Selector> selectors;  // none for *
  QualifiedName table;
  WhereClause where;
  std::vector<Term> group_by;
  std::vector<Ordering> order_by;
  std::optional<Term> per_partition_limit;  // an integer or a marker
  std::optional<Term> limit;                // likewise
  bool allow_filtering = false;
};

}  // namespace orrery::cassandra::ast
