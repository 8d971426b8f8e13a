#include "api/cassandra/planner/restriction/restrictions.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/cassandra/types/compare.h"
#include "gateway/row/row_token.h"

namespace orrery::cassandra {
namespace {

// Of Cassandra: a length of 16 bits.
constexpr size_t kPartitionKeyBytesMax = 65'535;

using Tuples = std::vector<std::vector<std::string>>;

std::weak_ordering CompareTuples(const std::vector<const Column*>& columns,
                                 const std::vector<std::string>& a,
                                 const std::vector<std::string>& b) {
  for (size_t i = 0; i < a.size(); ++i) {
    const auto order = Compare(*columns[i]->type, a[i], b[i]);
    if (order != 0) return order;
  }
  return std::weak_ordering::equivalent;
}

void SortUnique(const std::vector<const Column*>& columns, Tuples& tuples) {
  std::ranges::sort(tuples,
                    [&](const auto& a, const auto& b) { return CompareTuples(columns, a, b) < 0; });
  const auto repeated = std::ranges::unique(
      tuples, [&](const auto& a, const auto& b) { return CompareTuples(columns, a, b) == 0; });
  tuples.erase(repeated.begin(), repeated.end());
}

CqlStatus CheckCombinations(size_t count, size_t times) {
  if (count == 0 || times <= kInCombinationsMax / count) return {};
  return Invalid(
      fmt::format("The IN restrictions of the query make more than {} combinations of keys",
                  kInCombinationsMax));
}

CqlResult<std::string> SerializeKey(const std::vector<std::string_view>& components) {
  std::string key(components.front());
  if (components.size() > 1) {
    CQL_ASSIGN(key, gateway::JoinKeyComponents(components));
  }
  if (key.empty()) return Invalid("Key may not be empty");
  if (key.size() > kPartitionKeyBytesMax) {
    return Invalid(fmt::format("Key length of {} is longer than maximum of {}", key.size(),
                               kPartitionKeyBytesMax));
  }
  return key;
}

}  // namespace

std::unexpected<CqlError> SkipsColumn(const Column& column, const Column& skipped) {
  return Invalid(fmt::format(
      "PRIMARY KEY column \"{}\" cannot be restricted as preceding column \"{}\" is not "
      "restricted",
      column.name, skipped.name));
}

CqlStatus CheckCellName(const Table& table, const Column& column, std::string_view value) {
  if (!table.is_dense() || table.clustering_count > 1 || !value.empty()) return {};
  return Invalid(fmt::format("Invalid empty or null value for column {}", column.name));
}

bool Restrictions::has_regular() const {
  return std::ranges::any_of(others_, [](const auto& other) {
    return other.second->first().kind == ColumnKind::kRegular;
  });
}

bool Restrictions::names_rows() const {
  const auto by_value = [](const auto& entry) {
    return entry.second->is_equal() || entry.second->is_in();
  };
  size_t columns = 0;
  for (const auto& [position, restriction] : clustering_) columns += restriction->columns.size();
  return !is_key_range_ && columns == table_->clustering_count &&
         std::ranges::all_of(partition_key_, by_value) &&
         std::ranges::all_of(clustering_, by_value);
}

bool Restrictions::names_one_row() const {
  const auto equal = [](const auto& entry) { return entry.second->is_equal(); };
  return names_rows() && !token_.has_value() && std::ranges::all_of(partition_key_, equal) &&
         std::ranges::all_of(clustering_, equal);
}

bool Restrictions::IsEqual(const Column& column) const {
  const auto is_it = [&](const auto& entry) {
    const ColumnRestriction& restriction = *entry.second;
    return restriction.is_equal() &&
           std::ranges::find(restriction.columns, &column) != restriction.columns.end();
  };
  return std::ranges::any_of(partition_key_, is_it) || std::ranges::any_of(clustering_, is_it) ||
         std::ranges::any_of(others_, is_it);
}

bool Restrictions::needs_filtering() const {
  size_t contains = 0;
  for (const auto& [place, restriction] : others_) contains += restriction->contains.size();
  return filters_counted_ > 1 || (filters_counted_ == 0 && has_clustering()) ||
         (filters_counted_ != 0 && contains > 1);
}

CqlResult<BoundKeys> Restrictions::Bind(const Evaluation& evaluation) const {
  BoundKeys keys;
  CQL_ASSIGN(keys.ranges, BindClustering(evaluation));
  if (is_key_range_) {
    TokenSpan span;
    if (token_.has_value()) {
      CQL_ASSIGN(span, token_->Bind(evaluation));
    }
    const auto ring = gateway::RangeOfTokens(span.first, span.last);
    keys.none = !ring.has_value();
    if (ring.has_value()) keys.ring = *ring;
  } else {
    CQL_ASSIGN(keys.partition_keys, BindPartitionKeys(evaluation));
    keys.none = keys.partition_keys->empty();
  }
  if (index_.has_value()) {
    CQL_ASSIGN(keys.index, BindIndex(*index_, evaluation));
    const Column& indexed = index_->restriction->first();
    keys.index_of_partitions =
        keys.index.has_value() &&
        (indexed.is_static() || (indexed.is_partition_key() && table_->has_statics()));
  }
  return keys;
}

CqlResult<RowFilter> Restrictions::BindFilter(const Evaluation& evaluation) const {
  RowFilter filter(*table_);
  for (const auto& restriction : filters_) CQL_TRY(filter.Add(*restriction, evaluation));
  return filter;
}

CqlResult<std::vector<std::string>> Restrictions::BindPartitionKeys(
    const Evaluation& evaluation) const {
  std::vector<Tuples> choices;  // of each column
  size_t count = 1;
  for (const auto& [position, restriction] : partition_key_) {
    CQL_ASSIGN(Tuples values, restriction->EvaluateEach(evaluation));
    if (restriction->is_in()) SortUnique(restriction->columns, values);
    CQL_TRY(CheckCombinations(count, values.size()));
    count *= values.size();
    choices.push_back(std::move(values));
  }
  std::vector<std::string> keys;
  keys.reserve(count);
  std::vector<std::string_view> components(choices.size());
  for (size_t combination = 0; combination < count; ++combination) {
    size_t rest = combination;
    for (size_t i = choices.size(); i-- > 0;) {
      components[i] = choices[i][rest % choices[i].size()].front();
      rest /= choices[i].size();
    }
    CQL_ASSIGN(std::string key, SerializeKey(components));
    if (token_.has_value()) {
      CQL_ASSIGN(const bool accepted, token_->Accepts(evaluation, gateway::TokenOf(key)));
      if (!accepted) continue;
    }
    keys.push_back(std::move(key));
  }
  return keys;
}

CqlResult<std::vector<ClusteringRange>> Restrictions::BindClustering(
    const Evaluation& evaluation) const {
  std::vector<std::string> prefixes = {""};
  uint32_t next = 0;  // the first column that the prefixes do not have
  for (const auto& [position, restriction] : clustering_) {
    // The others are tested row by row.
    if (restriction->is_contains() || restriction->is_like() || position != next) break;
    if (restriction->is_slice()) return BindSlice(*restriction, prefixes, evaluation);
    CQL_ASSIGN(const Tuples values, restriction->EvaluateEach(evaluation));
    CQL_TRY(CheckCombinations(prefixes.size(), values.size()));
    std::vector<std::string> longer;
    longer.reserve(prefixes.size() * values.size());
    for (const std::string& prefix : prefixes) {
      for (const std::vector<std::string>& tuple : values) {
        std::string& key = longer.emplace_back(prefix);
        for (size_t i = 0; i < tuple.size(); ++i) {
          const Column& column = *restriction->columns[i];
          if (is_change_) CQL_TRY(CheckCellName(*table_, column, tuple[i]));
          CQL_TRY(AppendClustering(key, column, tuple[i]));
        }
      }
    }
    prefixes = std::move(longer);
    next = restriction->last().position + 1;
  }
  const bool is_whole = (next == table_->clustering_count || names_short_rows_) && next > 0;
  std::vector<ClusteringRange> ranges;
  ranges.reserve(prefixes.size());
  for (std::string& prefix : prefixes) ranges.push_back(RowsOf(std::move(prefix), is_whole));
  return Normalise(std::move(ranges));
}

CqlResult<std::vector<ClusteringRange>> Restrictions::BindSlice(
    const ColumnRestriction& restriction, const std::vector<std::string>& prefixes,
    const Evaluation& evaluation) const {
  const auto columns =
      table_->clustering().subspan(restriction.first().position, restriction.columns.size());
  std::vector<TupleBound> bounds;
  for (const auto* bound : {&restriction.lower, &restriction.upper}) {
    if (!bound->has_value()) continue;
    CQL_ASSIGN(std::vector<std::string> values, restriction.EvaluateBound(**bound, evaluation));
    bounds.push_back({std::move(values), (*bound)->inclusive, bound == &restriction.lower});
  }
  std::vector<ClusteringRange> ranges;
  for (const std::string& prefix : prefixes) {
    std::vector<ClusteringRange> rows = {RowsOf(prefix, /*is_whole_key=*/false)};
    for (const TupleBound& bound : bounds) {
      CQL_ASSIGN(const auto beyond, RowsBeyond(prefix, columns, bound));
      rows = Intersect(rows, beyond);
    }
    std::ranges::move(rows, std::back_inserter(ranges));
  }
  return Normalise(std::move(ranges));
}

std::vector<const Expression*> Restrictions::PartitionKeyTerms() const {
  std::vector<const Expression*> terms;
  for (const auto& [position, restriction] : partition_key_)
    terms.push_back(restriction->equal.components.front().get());
  return terms;
}

std::vector<const Expression*> Restrictions::ClusteringTerms() const {
  std::vector<const Expression*> terms;
  for (const auto& [position, restriction] : clustering_) {
    if (restriction->equal.is_whole_tuple) return {};
    for (const ExpressionPtr& term : restriction->equal.components) terms.push_back(term.get());
  }
  return terms;
}

}  // namespace orrery::cassandra
