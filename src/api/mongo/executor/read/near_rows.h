// NearRows give the documents of a scan by their distance from a point, the nearest first, when all
// of them have been read: those of $near, $nearSphere and $geoNear.
//
// With a limit only so many rows are kept. What is kept is bounded by the memory of one stage. Used
// by one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "api/mongo/language/match/near_search.h"
#include "api/mongo/language/query_context.h"
#include "api/mongo/language/row.h"

namespace orrery::mongo {

class NearRows final : public RowSource {
 public:
  // `first_rows`: how many are wanted at most.
  NearRows(std::unique_ptr<RowSource> input, NearSearch search, size_t memory_bytes_max,
           std::optional<uint64_t> first_rows);

  // Rows have the distance and the place as metadata. kQueryExceededMemoryLimitNoDiskUseAllowed
  // when they do not fit.
  Answer<std::optional<Row>> Next() override;

 private:
  struct Kept {
    double distance = 0;
    uint64_t number = 0;  // among the input: ties stay in its order
    Row row;
  };
  static bool IsNearer(const Kept& a, const Kept& b);
  Outcome Fill();

  const std::unique_ptr<RowSource> input_;
  const NearSearch search_;
  const size_t memory_bytes_max_;
  const std::optional<uint64_t> first_rows_;
  std::vector<Kept> rows_;
  size_t next_ = 0;
  bool is_filled_ = false;
};

}  // namespace orrery::mongo
