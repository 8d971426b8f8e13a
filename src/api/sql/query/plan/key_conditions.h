// KeyConditions: which partition keys the documents of a query's answer can have, by what its WHERE
// says of the key's paths and of constants.
//
//   c.pk = 1, c.pk IN (1, 2), c.pk = 1 OR c.pk = 2, ARRAY_CONTAINS([1, 2], c.pk)   these
//   c.pk, NOT c.pk, IS_BOOL(c.pk), IS_NULL(c.pk), NOT IS_DEFINED(c.pk), ABS(c.pk) = 1
//   c.pk = 1 AND c.pk = 2, false                                                   none
//   c.pk > 1, c.other = 1                                                          all
//
// A query that reads no container has none. Pure.
#pragma once

#include "api/sql/parser/ast/query.h"
#include "api/sql/query/condition/condition_context.h"
#include "api/sql/query/plan/key_set.h"

namespace orrery::sql {

KeySet PossibleKeysOf(const ast::Query& query, const item::ContainerSchema& schema,
                      const ConditionContext& context);

}  // namespace orrery::sql
