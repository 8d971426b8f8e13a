// Translates the conditions of a traversal's first steps into conditions on documents
// (query/predicate/conditions.h) and into a filter for the owners of partitions. Both say less than
// the traversal where something does not fit, never more.
//
// Numbers of Gremlin compare across types, in part after rounding: beyond 2^24 an equal number of
// another type may be stored as a slightly different one, so ranges there are wider than asked.
//
// Pure.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "api/gremlin/graph/graph_store.h"
#include "gateway/requests.h"
#include "model/aggregate/grouping.h"
#include "model/document/document.h"
#include "model/expression/expression.h"
#include "query/predicate/conditions.h"

namespace orrery::gremlin {

query::Conditions ConditionsOf(const ElementQuery& query, const GraphRules& rules);

// Edges that leave (or enter) one of these vertices, by their ids. REQUIRES: at most
// query::kListedValuesMax ids.
query::Conditions AdjacencyOf(EdgeDirection direction, std::span<const std::string> ids);

// The same as a range of the index over these ids; nullopt if the container has none. REQUIRES:
// there are ids.
std::optional<item::IndexRange> AdjacencyRange(EdgeDirection direction,
                                               std::span<const std::string> ids,
                                               const item::ContainerSchema& schema);

// True of documents of the kind with one of the labels; no labels: of any.
Result<std::shared_ptr<const model::Expression>> KindFilter(ElementKind kind,
                                                            std::span<const std::string> labels);
// True of exactly the documents that are elements of the kind (element_codec.h) with one of the
// labels; no labels: with any.
Result<std::shared_ptr<const model::Expression>> ElementFilter(
    ElementKind kind, const std::optional<std::vector<std::string>>& labels);

// Counts documents where they are, and reads a partial result of it.
std::shared_ptr<const model::Grouping> CountGrouping();
Result<int64_t> CountOf(model::DocumentView group);

}  // namespace orrery::gremlin
