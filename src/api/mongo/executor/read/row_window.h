// A RowWindow skips the first rows of another source, gives so many of the others, and projects
// them. Used by one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "api/mongo/language/projection/projection.h"
#include "api/mongo/language/row.h"

namespace orrery::mongo {

class RowWindow final : public RowSource {
 public:
  // `projection` may be null.
  RowWindow(std::unique_ptr<RowSource> input, uint64_t skip, std::optional<uint64_t> limit,
            ProjectionPtr projection)
      : input_(std::move(input)), skip_(skip), limit_(limit), projection_(std::move(projection)) {}

  Answer<std::optional<Row>> Next() override {
    if (limit_.has_value() && given_ >= *limit_) return std::nullopt;
    for (; skip_ > 0; --skip_) {
      MONGO_ASSIGN(const std::optional<Row> skipped, input_->Next());
      if (!skipped.has_value()) return std::nullopt;
    }
    MONGO_ASSIGN(std::optional<Row> row, input_->Next());
    if (!row.has_value()) return std::nullopt;
    ++given_;
    if (projection_ != nullptr) {
      MONGO_ASSIGN(row->document, projection_->Apply(*row));
    }
    return row;
  }

 private:
  const std::unique_ptr<RowSource> input_;
  uint64_t skip_;
  const std::optional<uint64_t> limit_;
  const ProjectionPtr projection_;
  uint64_t given_ = 0;
};

}  // namespace orrery::mongo
