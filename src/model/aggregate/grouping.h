// A Grouping says how documents become groups, as data: it can be sent to whoever has the
// documents. Scans carry one to the owner of a partition, which answers partial groups instead of
// documents (partial_groups.h); those who ask merge them.
//
// A group has the documents that all keys have the same value of. Aggregates have the rules of one
// query language each, as the operators of Expressions have: those that begin with kSql have SQL's
// (sql_accumulators.h), those that begin with kMongo have MongoDB's (mongo_accumulators.h).
//
// A value; thread-safe once made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "model/aggregate/accumulator.h"
#include "model/expression/expression.h"

namespace orrery::model {

// The numbers travel between nodes: never change one, add at the end.
enum class AggregateOperator : uint8_t {
  kSqlCount,    // of values that are not undefined
  kSqlCountIf,  // of values that are exactly true
  kSqlSum,
  kSqlAverage,
  kSqlMin,
  kSqlMax,
  kMongoSum,  // as the accumulators of $group that have these names
  kMongoAverage,
  kMongoMin,
  kMongoMax,
};
inline constexpr AggregateOperator kAggregateOperatorLast = AggregateOperator::kMongoMax;

struct Aggregate {
  AggregateOperator op = AggregateOperator::kSqlCount;
  Expression argument;
};

// Of keys and aggregates together.
inline constexpr size_t kGroupingPartsMax = 128;

struct Grouping {
  std::vector<Expression> keys;  // none: all documents are one group
  std::vector<Aggregate> aggregates;

  bool is_one_group() const { return keys.empty(); }
  // Returns whether a value depends on the document: else it need not be read to be counted.
  bool reads_documents() const;
};

std::unique_ptr<Accumulator> StartAggregate(AggregateOperator op);

}  // namespace orrery::model
