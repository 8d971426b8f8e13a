// Restrictions are what a WHERE clause means for a table: which partitions, which rows of them, by
// which index, and what is left to test on each row.
//
// Shared by SELECT, UPDATE and DELETE; the rules of each are Cassandra 4.1's StatementRestrictions.
// Plan once, Bind for each execution.
//
// Immutable after planning, so thread-safe. Keeps the table alive.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/cassandra/parser/ast/restriction.h"
#include "api/cassandra/planner/restriction/clustering_range.h"
#include "api/cassandra/planner/restriction/column_restriction.h"
#include "api/cassandra/planner/restriction/index_choice.h"
#include "api/cassandra/planner/restriction/row_filter.h"
#include "api/cassandra/planner/restriction/token_restriction.h"
#include "api/cassandra/planner/term/term_planner.h"
#include "gateway/row/row_requests.h"

namespace orrery::cassandra {

// Partition keys times clustering prefixes that IN may multiply to.
inline constexpr size_t kInCombinationsMax = 65'535;

inline constexpr std::string_view kRequiresFiltering =
    "Cannot execute this query as it might involve data filtering and thus may have unpredictable "
    "performance. If you want to execute this query despite the performance unpredictability, use "
    "ALLOW FILTERING";

// The refusal of a clustering column that is given although one before it is not.
std::unexpected<CqlError> SkipsColumn(const Column& column, const Column& skipped);
// A change must not name a row by an empty value alone where that is all of a cell's name: in
// COMPACT STORAGE with one clustering column.
CqlStatus CheckCellName(const Table& table, const Column& column, std::string_view value);

enum class StatementKind : uint8_t { kSelect, kUpdate, kDelete };

struct RestrictionRules {
  StatementKind statement = StatementKind::kSelect;
  // Everything selected or changed is static: rows do not matter.
  bool only_statics = false;
  bool allow_filtering = false;
};

// A WHERE clause with its values.
struct BoundKeys {
  // Serialized partition keys in the order of their columns' values, each once. Nothing: all
  // partitions of `ring`.
  std::optional<std::vector<std::string>> partition_keys;
  partition::HashRange ring;
  // In each partition: in clustering order, disjoint. The one unbounded range when clustering
  // columns are not restricted; none when no row can match.
  std::vector<ClusteringRange> ranges;
  std::optional<item::RowScanRequest::Index> index;
  // Of a static column, or of a partition key that may have static columns only: what it finds are
  // partitions.
  bool index_of_partitions = false;
  // The tokens or keys asked for are none: not even static columns can match.
  bool none = false;
};

class Restrictions {
 public:
  const Table& table() const { return *table_; }

  // No list of partition keys: a token range, an index or a filter leads to them.
  bool is_key_range() const { return is_key_range_; }
  bool uses_index() const { return uses_index_; }
  bool partition_key_has_in() const { return partition_key_has_in_; }
  bool clustering_has_in() const { return clustering_has_in_; }
  bool has_partition_key() const { return !partition_key_.empty() || token_.has_value(); }
  bool has_clustering() const { return !clustering_.empty(); }
  bool has_regular() const;
  // Each primary key column has an = or IN: what is asked for are single rows.
  bool names_rows() const;
  // Each primary key column has an =: at most one row.
  bool names_one_row() const;
  // An = on this column, alone or in a tuple. What is selected or grouped may then leave it out.
  bool IsEqual(const Column& column) const;
  // Returns whether rows must be tested beyond what an index alone decides; Cassandra then wants
  // ALLOW FILTERING of a query over many partitions.
  bool needs_filtering() const;
  // Columns that tests look at, by place in Table::columns.
  const std::vector<size_t>& filtered() const { return filtered_; }

  // COSMOS_CHANGEFEED_START_TIME() = '...': a timestamp; null without. SELECT only.
  const Expression* feed_start() const { return feed_start_.get(); }

  // For names_one_row(): one term for each key column; none when the clustering columns are given
  // by a marker for a whole tuple.
  std::vector<const Expression*> PartitionKeyTerms() const;
  std::vector<const Expression*> ClusteringTerms() const;

  CqlResult<BoundKeys> Bind(const Evaluation& evaluation) const;
  CqlResult<RowFilter> BindFilter(const Evaluation& evaluation) const;

 private:
  friend class RestrictionsBuilder;  // restrictions_builder.cc

  // By position of its first column among those of its kind; a tuple stands for all its columns.
  using ByPosition = std::map<uint32_t, std::shared_ptr<ColumnRestriction>>;

  CqlResult<std::vector<std::string>> BindPartitionKeys(const Evaluation& evaluation) const;
  CqlResult<std::vector<ClusteringRange>> BindClustering(const Evaluation& evaluation) const;
  CqlResult<std::vector<ClusteringRange>> BindSlice(const ColumnRestriction& restriction,
                                                    const std::vector<std::string>& prefixes,
                                                    const Evaluation& evaluation) const;

  std::shared_ptr<const Table> table_;
  ByPosition partition_key_;
  std::optional<TokenRestriction> token_;
  ByPosition clustering_;
  std::map<size_t, std::shared_ptr<ColumnRestriction>> others_;  // by place
  ExpressionPtr feed_start_;
  bool is_key_range_ = false;
  bool uses_index_ = false;
  bool partition_key_has_in_ = false;
  bool clustering_has_in_ = false;
  // UPDATE of COMPACT STORAGE: the columns given are all of the rows' keys.
  bool names_short_rows_ = false;
  bool is_change_ = false;  // of an UPDATE or DELETE
  std::optional<IndexChoice> index_;
  std::vector<std::shared_ptr<const ColumnRestriction>> filters_;
  std::vector<size_t> filtered_;
  size_t filters_counted_ = 0;  // as Cassandra counts them
};

// `terms` plans values, for `table`'s keyspace; `variables` are those it fills.
CqlResult<Restrictions> PlanRestrictions(std::shared_ptr<const Table> table,
                                         const ast::WhereClause& where,
                                         const RestrictionRules& rules, TermPlanner& terms,
                                         Variables& variables);

}  // namespace orrery::cassandra
