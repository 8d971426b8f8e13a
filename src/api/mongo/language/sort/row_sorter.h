// A RowSorter gives the rows of another source in order, when it has read all of them: where no
// index has the order that is wanted.
//
// With a limit only so many rows are kept. What is kept is bounded by the context's memory for one
// stage. Used by one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "api/mongo/executor/run_state.h"
#include "api/mongo/language/query_context.h"
#include "api/mongo/language/row.h"
#include "api/mongo/language/sort/sort_pattern.h"

namespace orrery::mongo {

class RowSorter final : public RowSource {
 public:
  // `first_rows`: how many of the sorted rows are wanted at most.
  RowSorter(std::unique_ptr<RowSource> input, SortPattern sort, QueryContextPtr context,
            std::optional<uint64_t> first_rows);

  // kQueryExceededMemoryLimitNoDiskUseAllowed when the rows do not fit.
  Answer<std::optional<Row>> Next() override;

 private:
  struct Kept {
    SortKey key;
    uint64_t number = 0;  // among the input: ties stay in its order
    Row row;
  };
  Outcome Fill();
  bool IsBefore(const Kept& a, const Kept& b) const;

  const std::unique_ptr<RowSource> input_;
  const SortPattern sort_;
  const QueryContextPtr context_;
  const std::optional<uint64_t> first_rows_;
  std::vector<Kept> rows_;
  size_t next_ = 0;
  bool is_filled_ = false;
};

}  // namespace orrery::mongo
