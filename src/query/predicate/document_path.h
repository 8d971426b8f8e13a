// A DocumentPath names a position in documents: fields, and elements of arrays.
//
// It differs from model::Path, which has fields only, in that a step may stand for any element of
// an array ("/tags/[]"), and in that it may stand for the type of what is there instead of the
// value. Conditions are stated on it and indexes are found by it. A value; thread-safe.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gateway/requests.h"
#include "model/document/document.h"
#include "model/path/path.h"
#include "model/value.h"

namespace orrery::query {

struct DocumentPath {
  struct Step {
    std::string name;
    bool is_element = false;
    friend bool operator==(const Step&, const Step&) = default;
  };
  std::vector<Step> steps;
  bool of_types = false;  // the type index there: whether it is an array or an object

  static DocumentPath At(const model::Path& path);

  // Returns whether one document may have several values there.
  bool has_elements() const;
  DocumentPath Field(std::string name) const;
  DocumentPath Element() const;
  DocumentPath Types() const;
  // Returns whether it is the value at that path.
  bool IsAt(std::span<const std::string> path) const;

  // Returns the automatic index over the path; nullopt if the container has none, or has not built
  // it yet.
  std::optional<item::IndexId> IndexOf(const item::ContainerSchema& schema) const;
  // Returns whether that index has documents without a value there.
  bool IsIndexedWhenAbsent(const item::ContainerSchema& schema) const;
  // Returns the value there, undefined if there is none. REQUIRES: !has_elements().
  model::Value Get(model::DocumentView document) const;

  // "/tags/[]"
  std::string ToString() const;

  friend bool operator==(const DocumentPath&, const DocumentPath&) = default;
};

}  // namespace orrery::query
