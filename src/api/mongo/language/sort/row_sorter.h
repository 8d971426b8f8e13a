// A RowSorter gives the rows of another source in order, when it has read all of them: where no
// index has the order that is wanted.
//
// With a limit only so many rows are kept. Beyond the context's memory for one stage rows go to
// files (query/operator/external_sort.h) where the context has a place for them. Used by one thread
// at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "api/mongo/language/query_context.h"
#include "api/mongo/language/row.h"
#include "api/mongo/language/sort/sort_pattern.h"
#include "query/operator/external_sort.h"

namespace orrery::mongo {

class RowSorter final : public RowSource {
 public:
  // `first_rows`: how many of the sorted rows are wanted at most.
  RowSorter(std::unique_ptr<RowSource> input, SortPattern sort, QueryContextPtr context,
            std::optional<uint64_t> first_rows);

  // kQueryExceededMemoryLimitNoDiskUseAllowed when the rows do not fit and there are no files for
  // them.
  Answer<std::optional<Row>> Next() override;

 private:
  struct Kept {
    SortKey key;
    uint64_t number = 0;  // among the input: ties stay in its order
    Row row;
  };
  Outcome Fill();
  bool IsBefore(const Kept& a, const Kept& b) const;
  // Moves all rows that are kept to the files.
  Outcome Spill();
  Outcome AddToFiles(const Kept& kept);

  const std::unique_ptr<RowSource> input_;
  const SortPattern sort_;
  const QueryContextPtr context_;
  const std::optional<uint64_t> first_rows_;
  std::vector<Kept> rows_;
  size_t next_ = 0;
  bool is_filled_ = false;
  std::optional<query::ExternalSort> files_;
};

}  // namespace orrery::mongo
