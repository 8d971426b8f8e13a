// PartialGroups are the groups that some of the documents of a Grouping make, with aggregates as
// far as these go. Others have further documents of the same groups, or this one has had them
// before: whoever merges them decides by the rules of its language which keys are equal. Here keys
// are equal if they are the same bytes, so the same group may come twice, and never two as one.
//
// A group travels as a document:
//
//   {"0": key, "1": key, ..., "p": [partial, ...]}      ; in the order of the Grouping
//
// Keys are at the top, as documents may be as deep as BSON is read.
//
// Used by one thread at a time. The grouping must outlive it.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/status.h"
#include "model/aggregate/grouping.h"
#include "model/document/document.h"
#include "model/value.h"

namespace orrery::model {

class PartialGroups {
 public:
  explicit PartialGroups(const Grouping& grouping) : grouping_(grouping) {}

  // Adds the document to its group and returns the number of that: a new one is the last.
  // kTooLarge when what an aggregate keeps passes a bound.
  Result<size_t> Add(DocumentView document);

  const Grouping& grouping() const { return grouping_; }
  size_t size() const { return groups_.size(); }
  // Returns about how many bytes the groups take.
  size_t bytes() const { return bytes_; }
  Document Encode(size_t group) const;

 private:
  struct Group {
    const std::string* keys = nullptr;  // BSON, in by_keys_
    std::vector<std::unique_ptr<Accumulator>> accumulators;
  };

  // Looks strings up without a copy.
  struct TextHash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };

  Group& GroupOf(DocumentView document, size_t& number);
  // Writes the BSON of the document's keys to keys_.
  void EncodeKeys(DocumentView document);

  const Grouping& grouping_;
  std::string keys_;  // of the document that is being added; its memory is used again
  std::unordered_map<std::string, size_t, TextHash, std::equal_to<>> by_keys_;
  std::vector<Group> groups_;
  size_t bytes_ = 0;
};

// A partial group as it was received.
struct PartialGroup {
  Values keys;
  Value partials;  // an array
};
// Takes the parts of such a document. kInternal if it is none, or has another number of keys.
Result<PartialGroup> ReadPartialGroup(const Value& group, size_t keys);

}  // namespace orrery::model
