// Result rows that must be put in order before they can be sent: ORDER BY over several partitions,
// and the nearest to a vector. Held in memory, within kSortedBytesMax.
//
// Lives for one execution, on one thread. The plan must outlive it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/cassandra/planner/select/select_plan.h"

namespace orrery::cassandra {

inline constexpr size_t kSortedBytesMax = size_t{64} << 20;
// The highest limit of ORDER BY .. ANN OF.
inline constexpr uint32_t kNearestRowsMax = 1'000;

class SortedRows {
 public:
  // `limit`: of those that come first, no more are wanted.
  SortedRows(const SelectPlan& plan, std::optional<uint32_t> limit) : plan_(plan), limit_(limit) {}

  // `cells` are the result row's, evaluation.row what it was made of. Rows without a vector are
  // near to nothing and do not count. Refused when it is too much.
  CqlStatus Add(const Evaluation& evaluation, std::string cells);

  // All of them in order, at most `limit`. Returns how many.
  int32_t Finish(std::string& cells);

  size_t bytes() const { return bytes_; }

 private:
  struct Entry {
    std::vector<std::optional<std::string>> keys;
    float similarity = 0;
    std::string cells;
  };

  CqlResult<std::optional<float>> SimilarityOf(const Evaluation& evaluation);
  bool Before(const Entry& a, const Entry& b) const;
  // Lets go of what can no longer be among the first.
  void Trim();

  const SelectPlan& plan_;
  const std::optional<uint32_t> limit_;
  std::optional<TermValue> target_;
  std::vector<Entry> entries_;
  size_t bytes_ = 0;
};

}  // namespace orrery::cassandra
