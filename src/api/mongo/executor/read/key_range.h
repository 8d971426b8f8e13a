// A KeyRange is what find's `min` and `max` say: an interval of keys of one index, `min` included
// and `max` not. KeyRangeRows gives the rows that have a key in it, in the order of the index.
//
// Keys are made of the documents as an index has them: one for each element of an array, null for
// what is missing. Used by one thread at a time.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/mongo/error/mongo_error.h"
#include "api/mongo/language/query_context.h"
#include "api/mongo/language/row.h"
#include "model/document/document.h"
#include "model/value.h"

namespace orrery::mongo {

class KeyRange {
 public:
  // `min` and `max` have the names of `key`, the index's, in its order; each may be absent. 51174,
  // 51175, 51176 for bounds that do not fit.
  static Answer<KeyRange> Make(model::DocumentView key, std::optional<model::DocumentView> min,
                               std::optional<model::DocumentView> max);

  // All keys of a document, in the range or not.
  std::vector<model::Values> KeysOf(model::DocumentView document) const;
  // The smallest key of a document in the range; nullopt if it has none there.
  std::optional<model::Values> KeyIn(model::DocumentView document, const Collator* collator) const;
  bool IsBefore(const model::Values& a, const model::Values& b, const Collator* collator) const {
    return Compare(a, b, collator) < 0;
  }

 private:
  struct Part {
    std::vector<std::string> steps;
    bool descending = false;
  };
  std::weak_ordering Compare(const model::Values& a, const model::Values& b,
                             const Collator* collator) const;

  std::vector<Part> parts_;
  std::optional<model::Values> min_;
  std::optional<model::Values> max_;
};

class KeyRangeRows final : public RowSource {
 public:
  KeyRangeRows(std::unique_ptr<RowSource> input, KeyRange range, QueryContextPtr context)
      : input_(std::move(input)), range_(std::move(range)), context_(std::move(context)) {}

  // kQueryExceededMemoryLimitNoDiskUseAllowed when the rows do not fit.
  Answer<std::optional<Row>> Next() override;

 private:
  Outcome Fill();

  const std::unique_ptr<RowSource> input_;
  const KeyRange range_;
  const QueryContextPtr context_;
  std::vector<std::pair<model::Values, Row>> rows_;
  size_t next_ = 0;
  bool is_filled_ = false;
};

}  // namespace orrery::mongo
