// Tells whether an index that leaves out documents (sparse, or by a condition) has all that a query
// wants: if the query's conditions imply that a document is in it. Pure.
#pragma once

#include <span>

#include "model/compare.h"
#include "model/expression/expression.h"
#include "query/predicate/predicate.h"

namespace orrery::query {

// The conditions that are all true of documents that are wanted.
struct KnownConditions {
  std::span<const Predicate> all;
  std::span<const model::Expression> met;  // Conditions::met
};

// True for an index that has every document.
bool HasAllWanted(const item::NamedIndex& index, const KnownConditions& known, model::Order order);

}  // namespace orrery::query
