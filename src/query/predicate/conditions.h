// Conditions are what a query asks of the documents of one container, in a form without any
// syntax tree: what access paths are chosen by (access/access_path.h).
//
// Everything here is implied by the query: it may say less than the query does, never more. So an
// API may leave out what does not fit, and still evaluates its own conditions on every document
// that is found. Only `reads` is exact, as it says what else need not be examined.
//
// A value; thread-safe.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gateway/requests.h"
#include "model/expression/expression.h"
#include "model/spatial/geometry.h"
#include "model/text/text_collator.h"
#include "query/predicate/document_path.h"
#include "query/predicate/match_rules.h"
#include "query/predicate/predicate.h"
#include "query/predicate/value_range.h"

namespace orrery::query {

// Of a condition that joins others by OR: the predicates of each of these. A document that is
// wanted meets all predicates of one of them at least.
using Disjuncts = std::vector<std::vector<Predicate>>;

// A condition on one path that is no range of values, but can be true of values of one type only:
// a substring, a regular expression, an inequality. An index over the path has all documents of
// which it may be true, and each of its entries can be asked before the document is read.
struct ResidualPredicate {
  DocumentPath path;
  ValueRange range;           // all values of the type
  bool is_selective = false;  // likely to be true of few values
};

// That the text there has at least one of the terms.
struct TermCondition {
  DocumentPath path;
  std::vector<std::string> terms;
};

// That the texts of the document which an index of terms has (item::IndexKind::kSearchTerms) have
// at least one of the terms.
struct SearchCondition {
  std::vector<std::string> terms;
};

// That the shape there is no farther from the given one than so many metres.
struct ShapeCondition {
  DocumentPath path;
  model::Geometry shape;
  double metres = 0;
};

// The order that rows are wanted in, by paths that hold one value each.
struct WantedOrder {
  std::vector<DocumentPath> paths;
  std::vector<bool> descending;  // one for each
};

// The first rows are wanted by how near vectors are.
struct NearestOrder {
  DocumentPath path;
  item::NearestSearch search;  // without its index
};

// The properties that a query reads, of queries whose rows are each made of one document.
struct Reads {
  // Of each conjunct that can be evaluated alone: the paths that it looks at, none of them
  // computed. Its number among these is what EntryFilter knows it by (source/entry_filter.h).
  std::vector<std::vector<DocumentPath>> conjuncts;
  // All that the whole query looks at; nullopt if it takes documents as a whole.
  std::optional<std::vector<DocumentPath>> all;
  // The query is the least or the greatest value of one path, and nothing else.
  struct Extreme {
    DocumentPath path;
    bool is_greatest = false;
  };
  std::optional<Extreme> extreme;
};

struct Conditions {
  MatchRules rules = MatchRules::kSql;  // that all predicates were made under
  // All of these are true of a document that is wanted, and so are those below.
  std::vector<Predicate> all;
  std::vector<Disjuncts> disjunctions;
  std::vector<ResidualPredicate> residuals;
  std::vector<TermCondition> terms;
  std::vector<ShapeCondition> shapes;
  // Served by the one such index that the container has.
  std::optional<SearchCondition> search = {};
  // Conditions of the query in the common form, for indexes that have only the documents of which
  // one is true (access/partial_index.h). Those that are predicates need not be here.
  std::vector<model::Expression> met = {};
  // The rules by which strings in predicates and the order are compared: then they are keys
  // (model/text/collated_value.h), and only indexes by the same rules serve. None: their bytes.
  std::optional<model::CollationRules> collation = {};
  // Only this named index may be read, and it is read even where it leaves out documents that are
  // wanted, or finds no fewer.
  std::optional<item::IndexId> hint = {};

  std::optional<WantedOrder> order;
  std::optional<NearestOrder> nearest;
  std::optional<Reads> reads;  // nullopt: entries of an index cannot answer any of it
};

}  // namespace orrery::query
