// A Query is one SELECT with its clauses: what a client sends, or a subquery.
//
// Names are as written: which alias a name means, and whether it means anything, is decided
// elsewhere. Movable, not copyable.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "api/sql/parser/ast/expression.h"
#include "api/sql/parser/ast/name.h"

namespace orrery::sql::ast {

// A number of rows: after TOP, OFFSET and LIMIT.
using RowCount = std::variant<uint32_t, Parameter>;

struct SelectAll {};  // *

struct SelectValue {  // VALUE value
  Expression value;
};

struct SelectItem {
  Expression value;
  std::optional<Name> alias = {};
};

struct SelectList {  // at least one
  std::vector<SelectItem> items;
};

struct Select {
  bool is_distinct = false;
  std::optional<RowCount> top = {};
  std::variant<SelectAll, SelectValue, SelectList> what = {};
};

// The source after FROM or JOIN:
//
//   c, c.items AS i, (SELECT ..) s     each value itself is one input
//   i IN c.items, i IN (SELECT ..)     is_iterated: each element of the arrays is one
//
// A collection that is not iterated is an Identifier or accesses to one, or a query.
struct Source {
  std::variant<Expression, QueryPtr> collection = {};
  std::optional<Name> alias = {};  // always there when is_iterated
  bool is_iterated = false;
};

enum class SortOrder : uint8_t { kAscending, kDescending };

struct Ordering {
  Expression value;
  std::optional<SortOrder> order = {};  // where the text says nothing, nothing
};

struct OrderBy {
  bool is_rank = false;  // ORDER BY RANK: all are FunctionCalls
  std::vector<Ordering> orderings = {};
};

struct OffsetLimit {
  RowCount offset;
  RowCount limit;
};

struct Query {
  Select select = {};
  std::vector<Source> sources = {};  // the first is FROM's, the others are JOINs'
  std::optional<Expression> where = {};
  std::vector<Expression> group_by = {};
  std::optional<OrderBy> order_by = {};
  std::optional<OffsetLimit> offset_limit = {};
  uint32_t depth = 0;  // of its deepest expression; kept by the grammar
};

QueryPtr MakeQueryPtr(Query query);

}  // namespace orrery::sql::ast
