// The tests that a row must pass beyond having a key that was asked for, with their values bound.
//
// For ALLOW FILTERING, and for rows that an index led to: entries may be older than the row. Used
// by one thread; the table must outlive it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/cassandra/planner/restriction/column_restriction.h"
#include "api/cassandra/planner/term/row_values.h"
#include "api/cassandra/schema/table.h"

namespace orrery::cassandra {

class RowFilter {
 public:
  explicit RowFilter(const Table& table) : table_(table) {}

  // Refuses null and unset values: "Unsupported null value for column x"; and patterns of LIKE that
  // the column's index does not support.
  CqlStatus Add(const ColumnRestriction& restriction, const Evaluation& evaluation);

  bool empty() const { return tests_.empty(); }
  // Returns whether all tests hold. A column without a value passes none.
  bool Matches(const RowValues& row) const;

 private:
  enum class Kind : uint8_t {
    kEqual,
    kIn,
    kLess,
    kLessOrEqual,
    kGreater,
    kGreaterOrEqual,
    kContains,
    kContainsKey,
    kEntry,
    kTerms,
  };
  struct Test {
    Kind kind = Kind::kEqual;
    size_t place = 0;  // in Table::columns
    const Column* column = nullptr;
    // Of kIn any number; of kEntry key and value; of kTerms those of which one must fit one of the
    // column's; else one.
    std::vector<std::string> values;
    std::optional<SasiIndex> sasi{};  // kTerms
    LikeKind like = LikeKind::kMatches;
  };

  CqlStatus AddSlice(const ColumnRestriction& restriction, const Evaluation& evaluation);
  CqlStatus AddContains(const Column& column, const ContainsTest& contains,
                        const Evaluation& evaluation);
  void AddTerms(const ColumnRestriction& restriction, const LikePattern& pattern);
  void AddTest(Kind kind, const Column& column, std::vector<std::string> values);
  static bool Holds(const Test& test, std::string_view value);

  const Table& table_;
  std::vector<Test> tests_;
};

}  // namespace orrery::cassandra
