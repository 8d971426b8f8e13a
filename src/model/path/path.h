// A Path names one place in a document: field after field, and elements of arrays by their index.
//
// It differs from a PathPattern, which has wildcards and says of many places whether they are
// meant. Immutable after construction.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "model/document/document.h"
#include "model/value.h"

namespace orrery::model {

class Path {
 public:
  Path() = default;  // the document itself
  explicit Path(std::vector<std::string> steps) : steps_(std::move(steps)) {}

  // "/a/b", "/list/0/x", `/"a/b"/c`; path_syntax.h has the grammar. "" and "/" are the document
  // itself. kInvalidArgument names the offending position; wildcards are refused.
  static Result<Path> Parse(std::string_view text);
  // A JSON pointer, as patches have it: no quotes, "~1" is "/" and "~0" is "~".
  static Result<Path> FromPointer(std::string_view text);

  // Parse reads it back.
  std::string ToString() const;

  const std::vector<std::string>& steps() const { return steps_; }

  // A step is a field's name in an object and an index in an array. Nothing when absent, and for
  // the document itself, which is no element.
  std::optional<ElementView> Find(DocumentView document) const;
  // The same through objects only: nothing when a step but the last is no object.
  std::optional<ElementView> FindField(DocumentView document) const;
  // As Find, as a Value; undefined when absent, the whole object for the document itself.
  Value Get(DocumentView document) const;

  // True when `other` is this place or lies below it.
  bool Contains(const Path& other) const;

  friend bool operator==(const Path&, const Path&) = default;

 private:
  std::vector<std::string> steps_;
};

}  // namespace orrery::model
