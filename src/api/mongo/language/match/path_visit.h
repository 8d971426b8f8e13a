// VisitPath walks a dotted path through a document as filters do: into the elements of arrays on
// the way, and to elements by their index where a step is a number.
//
// The visitor is called with each element that the path leads to, nullptr where it ends in nothing,
// and with the index in the outermost array that was walked through, if any. It returns true to
// stop. A path that leads into an array of scalars leads nowhere: no call.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "api/mongo/language/value/field_path.h"
#include "model/document/document.h"

namespace orrery::mongo {

// The values that are met where a path ends in an array.
enum class LeafArrays : uint8_t {
  kEach,   // each of its elements, then the array itself
  kWhole,  // the array itself
};

using OuterIndex = std::optional<size_t>;

template <typename Visitor>
class PathWalk {
 public:
  PathWalk(std::span<const std::string> steps, LeafArrays leaf, Visitor& visitor)
      : steps_(steps), leaf_(leaf), visitor_(visitor) {}

  bool FromDocument(model::DocumentView document, size_t at, OuterIndex outer) {
    while (true) {
      const std::optional<model::ElementView> element = document.Find(steps_[at]);
      if (!element.has_value()) return visitor_(nullptr, outer);
      const model::Kind kind = element->kind();
      if (kind == model::Kind::kArray) return FromArray(*element, at + 1, outer);
      if (++at == steps_.size()) return visitor_(&*element, outer);
      if (kind != model::Kind::kObject) return visitor_(nullptr, outer);
      document = element->AsDocument();
    }
  }

  bool FromArray(const model::ElementView& array, size_t at, OuterIndex outer) {
    if (at == steps_.size()) {
      if (leaf_ == LeafArrays::kEach) {
        size_t index = 0;
        for (const model::ElementView element : array.AsDocument()) {
          if (visitor_(&element, outer.has_value() ? outer : index)) return true;
          ++index;
        }
      }
      return visitor_(&array, outer);
    }
    const std::optional<size_t> wanted = IndexOfStep(steps_[at]);
    size_t index = 0;
    for (const model::ElementView element : array.AsDocument()) {
      const OuterIndex below = outer.has_value() ? outer : index;
      const model::Kind kind = element.kind();
      if (kind == model::Kind::kObject && FromDocument(element.AsDocument(), at, below)) {
        return true;
      }
      if (wanted == index && AtIndex(element, at + 1, outer, below)) return true;
      ++index;
    }
    return false;
  }

 private:
  bool AtIndex(const model::ElementView& element, size_t at, OuterIndex outer, OuterIndex below) {
    const model::Kind kind = element.kind();
    // An element that was asked for by its index is met as a whole.
    if (at == steps_.size()) return visitor_(&element, outer);
    if (kind == model::Kind::kObject) return FromDocument(element.AsDocument(), at, below);
    if (kind == model::Kind::kArray) return FromArray(element, at, below);
    return false;
  }

  const std::span<const std::string> steps_;
  const LeafArrays leaf_;
  Visitor& visitor_;
};

// REQUIRES: at least one step. Returns whether the visitor stopped it.
template <typename Visitor>
bool VisitPath(model::DocumentView document, std::span<const std::string> steps, LeafArrays leaf,
               Visitor&& visitor) {
  return PathWalk<std::remove_reference_t<Visitor>>(steps, leaf, visitor)
      .FromDocument(document, 0, std::nullopt);
}

}  // namespace orrery::mongo
