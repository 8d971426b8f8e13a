// A SortPattern is a parsed sort order: paths with directions, and metadata.
//
// A document's key has one value for each part. Where a path leads to several values, an ascending
// part takes the smallest and a descending one the largest; an empty array counts as undefined, no
// value as null. Parts that lead through the same array take the values of the same element, that
// which sorts first. Immutable and thread-safe.
#pragma once

#include <compare>
#include <memory>
#include <string>
#include <vector>

#include "api/mongo/error/mongo_error.h"
#include "api/mongo/language/row.h"
#include "api/mongo/language/value/collator.h"
#include "model/document/document.h"
#include "model/value.h"

namespace orrery::mongo {

struct SortPart {
  enum class Meta : uint8_t { kNone, kTextScore, kRandom, kGeoDistance };
  std::string path;
  std::vector<std::string> steps = {};  // of the path
  bool descending = false;
  Meta meta = Meta::kNone;
};

using SortKey = std::vector<model::Value>;

class SortPattern {
 public:
  static Answer<SortPattern> Parse(model::DocumentView pattern);

  const std::vector<SortPart>& parts() const { return parts_; }
  // kBadValue if two parts lead through different arrays of the document.
  Answer<SortKey> KeyOf(const Row& row, const Collator* collator) const;
  // The key of an array's element for $push and $sortArray: an array is one value, not its least
  // element, and only its positions lead into it.
  SortKey KeyOfElement(const model::Value& element, const Collator* collator) const;
  // Compares keys that were made with the same collator.
  std::weak_ordering Compare(const SortKey& a, const SortKey& b) const;

 private:
  std::vector<SortPart> parts_;
};

}  // namespace orrery::mongo
