// Planning of WHERE clauses: what of it is served by keys, what by an index, what is left to test,
// and whether a statement may ask for that. The order of the checks is Cassandra's, so that of
// several mistakes in a statement the same one is told.
#include <fmt/format.h>

#include <algorithm>

#include "api/cassandra/parser/print/print.h"
#include "api/cassandra/planner/restriction/relation_planner.h"
#include "api/cassandra/planner/restriction/restrictions.h"

namespace orrery::cassandra {
namespace {

using Op = ast::RelationOperator;
using RestrictionPtr = std::shared_ptr<const ColumnRestriction>;

constexpr std::string_view kFeedStart = "cosmos_changefeed_start_time";

std::string_view NameOf(StatementKind statement) {
  switch (statement) {
    case StatementKind::kSelect:
      return "SELECT";
    case StatementKind::kUpdate:
      return "UPDATE";
    case StatementKind::kDelete:
      return "DELETE";
  }
  return "";
}

// Returns whether a clustering restriction that stands at `position` must be tested row by row: it
// does not follow the ones before it.
bool IsFilter(const ColumnRestriction& restriction, uint32_t position) {
  return restriction.is_contains() || restriction.is_like() ||
         restriction.first().position != position;
}

void AppendName(std::string& names, std::string_view name) {
  if (!names.empty()) names += ", ";
  names += name;
}

bool Overlaps(const ColumnRestriction& a, const ColumnRestriction& b) {
  return std::ranges::find_first_of(a.columns, b.columns) != a.columns.end();
}

}  // namespace

// Lives for one PlanRestrictions.
class RestrictionsBuilder {
 public:
  RestrictionsBuilder(std::shared_ptr<const Table> table, const RestrictionRules& rules,
                      TermPlanner& terms, Variables& variables)
      : rules_(rules), terms_(terms), relations_(*table, terms, variables) {
    made_.table_ = std::move(table);
    made_.is_change_ = rules.statement != StatementKind::kSelect;
  }

  CqlResult<Restrictions> Build(const ast::WhereClause& where) {
    for (const ast::Restriction& restriction : where) {
      if (const auto* expression = std::get_if<ast::IndexExpression>(&restriction)) {
        CQL_TRY(RefuseExpression(*expression));
      } else {
        CQL_TRY(AddRelation(std::get<ast::Relation>(restriction)));
      }
    }
    const bool clustering_indexed = FindIndex(made_.clustering_);
    has_index_ = clustering_indexed || FindIndex(made_.others_) || FindIndex(made_.partition_key_);
    CQL_TRY(CheckPartitionKey());
    if (made_.uses_index_ || PartitionKeyNeedsFilter()) AddFilters(made_.partition_key_);
    CQL_TRY(CheckStatics());
    CQL_TRY(CheckClustering());
    if (made_.is_key_range_ && clustering_indexed) made_.uses_index_ = true;
    if (made_.uses_index_ || ClusteringNeedsFilter()) AddClusteringFilters();
    CQL_TRY(CheckOthers());
    if (made_.uses_index_ && made_.partition_key_has_in_) {
      return Invalid(
          "Select on indexed columns and with IN clause for the PRIMARY KEY are not supported");
    }
    if (made_.uses_index_) ChooseBestIndex();
    CollectFiltered();
    return std::move(made_);
  }

 private:
  const Table& table() const { return *made_.table_; }
  bool is_select() const { return rules_.statement == StatementKind::kSelect; }

  CqlStatus RefuseExpression(const ast::IndexExpression& expression) const {
    const Index* const index = table().FindIndex(expression.index.text);
    if (index == nullptr) {
      return Invalid(fmt::format("Cannot find index {} on table {}.{}", expression.index.text,
                                 table().keyspace, table().name));
    }
    if (!index->is_custom) {
      return Invalid(fmt::format(
          "Non-custom index {} was used in a custom expression. Only custom indexes may be used in "
          "expressions",
          expression.index.text));
    }
    return Invalid(
        fmt::format("Index {} does not support custom expressions", expression.index.text));
  }

  CqlStatus AddRelation(const ast::Relation& relation) {
    const bool contains = relation.op == Op::kContains || relation.op == Op::kContainsKey;
    if (contains && !is_select()) {
      return Invalid(fmt::format("Cannot use {} with {}", NameOf(rules_.statement),
                                 ast::OperatorText(relation.op)));
    }
    if (const auto* call = std::get_if<ast::FunctionCall>(&relation.left))
      return AddFeedStart(*call, relation);
    if (std::holds_alternative<ast::TokenOfColumns>(relation.left)) return AddToken(relation);
    CQL_TRY(RefuseOperator(relation));
    CQL_ASSIGN(ColumnRestriction restriction, relations_.Plan(relation));
    CQL_TRY(UseSasi(relation, restriction));
    if (restriction.first().is_partition_key()) {
      made_.partition_key_has_in_ = made_.partition_key_has_in_ || restriction.is_in();
      return Add(std::move(restriction), made_.partition_key_);
    }
    if (restriction.first().is_clustering()) {
      made_.clustering_has_in_ = made_.clustering_has_in_ || restriction.is_in();
      return AddClustering(std::move(restriction));
    }
    return Add(std::move(restriction), made_.others_);
  }

  CqlStatus RefuseOperator(const ast::Relation& relation) const {
    if (const auto* name = std::get_if<ast::Name>(&relation.left))
      CQL_TRY(RequireColumn(table(), *name));
    switch (relation.op) {
      case Op::kNotEqual:
        return Invalid(fmt::format("Unsupported \"!=\" relation: {}", PrintRelation(relation)));
      case Op::kIsNotNull:
        return Invalid(fmt::format("Unsupported restriction: {}", PrintRelation(relation)));
      default:
        return {};
    }
  }

  // An index by terms decides what LIKE means and, of columns outside the key, what is equal.
  CqlStatus UseSasi(const ast::Relation& relation, ColumnRestriction& restriction) const {
    if (!restriction.is_like() && !restriction.is_equal()) return {};
    const Column& column = restriction.first();
    std::optional<SasiIndex> sasi;
    if (is_select() && !restriction.is_tuple) sasi = FindSasi(table(), column);
    if (restriction.is_equal()) {
      if (sasi.has_value() && !column.is_key() && sasi->supports_equality() &&
          !sasi->keeps_values())
        restriction.sasi = std::move(sasi);
      return {};
    }
    if (!sasi.has_value() || !sasi->supports_like()) {
      return Invalid(fmt::format(
          "LIKE restriction is only supported on properly indexed columns. {} is not valid.",
          PrintRelation(relation)));
    }
    restriction.sasi = std::move(sasi);
    return {};
  }

  CqlStatus AddFeedStart(const ast::FunctionCall& call, const ast::Relation& relation) {
    const auto* term = std::get_if<ast::Term>(&relation.right);
    if (call.function.name.text != kFeedStart || !call.arguments.empty() ||
        relation.op != Op::kEqual || term == nullptr || !is_select()) {
      return Invalid(fmt::format("Unsupported restriction: {}", PrintRelation(relation)));
    }
    if (made_.feed_start_ != nullptr) {
      return Invalid(
          fmt::format("{}() cannot be restricted by more than one relation if it includes an Equal",
                      kFeedStart));
    }
    const Receiver receiver{table().keyspace, table().name, std::string(kFeedStart),
                            Type::Native(TypeKind::kTimestamp)};
    CQL_ASSIGN(made_.feed_start_, terms_.PlanValue(*term, receiver));
    return {};
  }

  CqlStatus AddToken(const ast::Relation& relation) {
    CQL_ASSIGN(TokenRestriction token, PlanToken(table(), relation, terms_));
    if (made_.token_.has_value()) {
      CQL_ASSIGN(token, Merge(table(), *std::move(made_.token_), std::move(token)));
    }
    made_.token_ = std::move(token);
    return {};
  }

  // Merged with what was said of its columns before.
  template <typename Map>
  CqlStatus Add(ColumnRestriction restriction, Map& known) {
    for (auto entry = known.begin(); entry != known.end();) {
      if (!Overlaps(*entry->second, restriction)) {
        ++entry;
        continue;
      }
      CQL_ASSIGN(restriction, Merge(std::move(*entry->second), std::move(restriction)));
      entry = known.erase(entry);
    }
    const auto key = static_cast<typename Map::key_type>(
        restriction.first().is_key() ? restriction.first().position
                                     : &restriction.first() - table().columns.data());
    known.emplace(key, std::make_shared<ColumnRestriction>(std::move(restriction)));
    return {};
  }

  CqlStatus AddClustering(ColumnRestriction restriction) {
    if (!made_.clustering_.empty() && !rules_.allow_filtering) {
      const ColumnRestriction& last = *made_.clustering_.rbegin()->second;
      const uint32_t start = restriction.first().position;
      const uint32_t last_start = last.first().position;
      const bool merges = std::ranges::any_of(made_.clustering_, [&](const auto& entry) {
        return Overlaps(*entry.second, restriction);
      });
      if (!merges && last.is_slice() && start > last_start) {
        return Invalid(fmt::format(
            "Clustering column \"{}\" cannot be restricted (preceding column \"{}\" is restricted "
            "by a non-EQ relation)",
            restriction.first().name, last.first().name));
      }
      if (!merges && start < last_start && restriction.is_slice()) {
        const auto next = made_.clustering_.upper_bound(start);
        return Invalid(fmt::format(
            "PRIMARY KEY column \"{}\" cannot be restricted (preceding column \"{}\" is restricted "
            "by a non-EQ relation)",
            next->second->first().name, restriction.first().name));
      }
    }
    return Add(std::move(restriction), made_.clustering_);
  }

  template <typename Map>
  bool FindIndex(const Map& restrictions) const {
    return is_select() && std::ranges::any_of(restrictions, [&](const auto& entry) {
             return HasSupportingIndex(table(), *entry.second);
           });
  }

  bool PartitionKeyNeedsFilter() const {
    if (made_.partition_key_.empty()) return false;
    return made_.partition_key_.size() < table().partition_key_count ||
           std::ranges::any_of(
               made_.partition_key_,
               [](const auto& entry) {
                 return entry.second->is_slice() || entry.second->is_contains() ||
                        entry.second->is_like();
               });
  }

  CqlStatus CheckPartitionKey() {
    const bool needs_filter = PartitionKeyNeedsFilter();
    const bool on_token =
        made_.token_.has_value() && (made_.partition_key_.empty() || needs_filter);
    if (on_token) made_.partition_key_has_in_ = false;
    if (!is_select()) return CheckPartitionKeyOfChange(on_token);
    made_.is_key_range_ = on_token;
    if (made_.partition_key_.empty() && !made_.token_.has_value()) {
      made_.is_key_range_ = true;
      made_.uses_index_ = has_index_;
    }
    if (needs_filter) {
      if (!rules_.allow_filtering && !has_index_) return Invalid(std::string(kRequiresFiltering));
      made_.is_key_range_ = true;
      made_.uses_index_ = has_index_;
    }
    return {};
  }

  CqlStatus CheckPartitionKeyOfChange(bool on_token) const {
    if (on_token) {
      return Invalid(
          fmt::format("The token function cannot be used in WHERE clauses for {} statements",
                      NameOf(rules_.statement)));
    }
    std::string missing;
    for (const Column& column : table().partition_key()) {
      if (!made_.partition_key_.contains(column.position)) AppendName(missing, column.name);
    }
    if (!missing.empty())
      return Invalid(fmt::format("Some partition key parts are missing: {}", missing));
    const bool slices = std::ranges::any_of(
        made_.partition_key_, [](const auto& entry) { return entry.second->is_slice(); });
    if (slices) {
      return Invalid(fmt::format(
          "Only EQ and IN relation are supported on the partition key (unless you use the token() "
          "function) for {} statements",
          NameOf(rules_.statement)));
    }
    return {};
  }

  CqlStatus CheckStatics() const {
    if (!rules_.only_statics || !made_.has_clustering()) return {};
    if (is_select())
      return Invalid("Cannot restrict clustering columns when selecting only static columns");
    return Invalid(fmt::format(
        "Invalid restrictions on clustering columns since the {} statement modifies only static "
        "columns",
        NameOf(rules_.statement)));
  }

  bool ClusteringNeedsFilter() const {
    uint32_t position = 0;
    for (const auto& [start, restriction] : made_.clustering_) {
      if (IsFilter(*restriction, position)) return true;
      if (!restriction->is_slice()) position = restriction->last().position + 1;
    }
    return false;
  }

  CqlStatus CheckClustering() {
    if (rules_.statement == StatementKind::kUpdate) return CheckClusteringOfUpdate();
    const bool contains = std::ranges::any_of(
        made_.clustering_, [](const auto& entry) { return entry.second->is_contains(); });
    if (contains && !has_index_ && !rules_.allow_filtering) {
      return Invalid(
          "Clustering columns can only be restricted with CONTAINS with a secondary index or "
          "filtering");
    }
    if (!ClusteringNeedsFilter()) return {};
    if (has_index_) {
      made_.uses_index_ = true;
      return {};
    }
    if (rules_.allow_filtering) return {};
    return CheckWithoutGaps();
  }

  CqlStatus CheckWithoutGaps() const {
    uint32_t expected = 0;
    for (const auto& [start, restriction] : made_.clustering_) {
      for (const Column* column : restriction->columns) {
        if (column->position != expected)
          return SkipsColumn(*column, table().clustering()[expected]);
        ++expected;
      }
    }
    return {};
  }

  CqlStatus CheckClusteringOfUpdate() {
    const bool slices = std::ranges::any_of(
        made_.clustering_, [](const auto& entry) { return entry.second->is_slice(); });
    if (slices) {
      return Invalid(
          "Slice restrictions are not supported on the clustering columns in UPDATE "
          "statements");
    }
    if (rules_.only_statics) return {};
    if (table().is_dense() && made_.has_clustering()) {
      made_.names_short_rows_ = true;
      return CheckWithoutGaps();
    }
    std::string missing;
    for (const Column& column : table().clustering()) {
      const bool restricted = std::ranges::any_of(made_.clustering_, [&](const auto& entry) {
        return std::ranges::find(entry.second->columns, &column) != entry.second->columns.end();
      });
      if (!restricted) AppendName(missing, column.name);
    }
    if (missing.empty()) return {};
    return Invalid(fmt::format("Some clustering keys are missing: {}", missing));
  }

  CqlStatus CheckOthers() {
    if (made_.others_.empty()) return {};
    if (!is_select()) {
      std::string names;
      for (const auto& [place, restriction] : made_.others_)
        AppendName(names, restriction->first().name);
      return Invalid(fmt::format("Non PRIMARY KEY columns found in where clause: {} ", names));
    }
    if (has_index_) {
      made_.uses_index_ = true;
    } else if (!rules_.allow_filtering) {
      return Invalid(std::string(kRequiresFiltering));
    }
    AddFilters(made_.others_);
    return {};
  }

  template <typename Map>
  void AddFilters(const Map& restrictions) {
    for (const auto& [key, restriction] : restrictions) {
      made_.filters_.push_back(restriction);
      made_.filters_counted_ += restriction->columns.size();
    }
  }

  // Adds the filters that ranges of keys do not serve; all of them count.
  void AddClusteringFilters() {
    uint32_t position = 0;
    for (const auto& [start, restriction] : made_.clustering_) {
      made_.filters_counted_ += restriction->columns.size();
      if (IsFilter(*restriction, position)) {
        made_.filters_.push_back(restriction);
        continue;
      }
      // Beside ranges, for rows that its index leads to.
      if (ChooseIndex(table(), *restriction).has_value()) made_.filters_.push_back(restriction);
      if (!restriction->is_slice()) position = restriction->last().position + 1;
    }
  }

  // Columns outside the key first: their indexes lead to fewer rows. An index of a static column
  // leads to partitions, not to rows, and is of no use within one.
  void ChooseBestIndex() {
    const auto choose = [&](const auto& restrictions, bool statics) {
      for (const auto& [key, restriction] : restrictions) {
        if (made_.index_.has_value()) return;
        if (restriction->first().is_static() == statics)
          made_.index_ = ChooseIndex(table(), *restriction);
      }
    };
    choose(made_.others_, /*statics=*/false);
    choose(made_.clustering_, /*statics=*/false);
    choose(made_.partition_key_, /*statics=*/false);
    if (made_.is_key_range_) choose(made_.others_, /*statics=*/true);
  }

  void CollectFiltered() {
    for (const RestrictionPtr& filter : made_.filters_) {
      for (const Column* column : filter->columns)
        made_.filtered_.push_back(static_cast<size_t>(column - table().columns.data()));
    }
  }

  const RestrictionRules rules_;
  TermPlanner& terms_;
  RelationPlanner relations_;
  Restrictions made_;
  bool has_index_ = false;
};

CqlResult<Restrictions> PlanRestrictions(std::shared_ptr<const Table> table,
                                         const ast::WhereClause& where,
                                         const RestrictionRules& rules, TermPlanner& terms,
                                         Variables& variables) {
  return RestrictionsBuilder(std::move(table), rules, terms, variables).Build(where);
}

}  // namespace orrery::cassandra
