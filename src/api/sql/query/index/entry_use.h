// What of a query the entries of an index can answer, without a look at the documents.
//
// An entry has a document's value at the place of the index; its key has the document's partition
// key and id. A query that asks for no more than these needs no documents. One that asks for more,
// but whose conditions look at them (CONTAINS, ENDSWITH, LOWER(..) = ..), needs only the documents
// of entries of which they are true.
//
// Only of indexes of single paths that do not go into arrays, and of what is stored: not of
// computed properties.
//
// Pure.
#pragma once

#include <string>
#include <vector>

#include "api/sql/parser/ast/query.h"
#include "api/sql/query/index/place.h"
#include "api/sql/query/index/predicate.h"

namespace orrery::sql {

struct EntryUse {
  std::string alias;  // what the query calls a document
  Place place;        // of the index
  // Conditions of WHERE, joined by AND, that need no more than entries. They are the query's own:
  // good while it lives.
  std::vector<const ast::Expression*> conditions;
  bool is_whole = false;      // nor does the rest of the query
  bool is_one_entry = false;  // the first entry of which the conditions are true answers it all
  bool descending = false;    // then: in which direction
};

// For an index over the place, of which every document that may be wanted has an entry. Nothing
// where it would not spare any document.
std::optional<EntryUse> EntryUseOf(const ast::Query& query, const Place& place,
                                   const item::ContainerSchema& schema,
                                   const PredicateContext& context);

}  // namespace orrery::sql
