// A PathPattern says which places in documents an indexing policy means.
//
//   /a/b/?      the value at /a/b, if it is a scalar
//   /a/[]/b/?   the scalar b of every element of the array a
//   /a/*        everything at and below /a
//   /*          everything
//   /*/b/?      the scalar b of every object that is a field of the document
//
// Of several patterns that match a place the most precise decides: the one with more steps, of two
// with equally many the one with fewer wildcards on its way, and then the one that ends in "?".
// Immutable after construction.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace orrery::model {

// One step down a document, as someone who walks it knows it. An array's element has no name.
struct PathStep {
  std::string_view name;
  bool is_element = false;

  static PathStep Field(std::string_view name) { return {name, false}; }
  static PathStep Element() { return {{}, true}; }
  friend bool operator==(const PathStep&, const PathStep&) = default;
};

class PathPattern {
 public:
  // kInvalidArgument names the offending position. A pattern must end in "?" or "*".
  static Result<PathPattern> Parse(std::string_view text);

  // Parse reads it back.
  std::string ToString() const;

  // Returns whether the pattern matches the value at `place`. "?" and "*" both match a scalar
  // exactly there; the caller knows whether a value is a scalar.
  bool Matches(std::span<const PathStep> place) const;
  // Returns whether anything at or below `place` can match; a walker skips what cannot.
  bool CanMatchBelow(std::span<const PathStep> place) const;

  bool MorePreciseThan(const PathPattern& other) const;

  // The fields on the way, when the pattern means one value that is reached through objects only
  // ("/a/b/?").
  std::optional<std::vector<std::string>> ExactFields() const;

  friend bool operator==(const PathPattern&, const PathPattern&) = default;

 private:
  struct Step {
    std::string name;  // of an element: empty, or "*" for any field in its place
    bool is_element = false;
    friend bool operator==(const Step&, const Step&) = default;
  };

  // Returns whether the first `count` steps are the same.
  bool SameSteps(std::span<const PathStep> place, size_t count) const;

  std::vector<Step> steps_;  // without the tail
  bool subtree_ = false;     // ends in "*"
};

// The pattern that decides about `place`, or nullptr when none matches.
const PathPattern* MostPrecise(std::span<const PathPattern> patterns,
                               std::span<const PathStep> place);

}  // namespace orrery::model
