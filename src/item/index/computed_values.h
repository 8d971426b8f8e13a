// Values that documents do not have but indexes may: each computed of a document, under a name of
// its own.
//
// The API that owns the language interprets definitions: it hands in a ComputedMaker, so that items
// can be written and checked without knowing the language.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "model/document/document.h"

namespace orrery::item {

struct ComputedDefinition {
  std::string name;
  std::string definition;

  friend bool operator==(const ComputedDefinition&, const ComputedDefinition&) = default;
};

// Immutable, so thread-safe. The same document always gets the same values.
class ComputedValues {
 public:
  virtual ~ComputedValues() = default;
  // The document with the values, in place of fields that have their names. One that cannot be
  // computed is left out.
  virtual model::Document AddTo(model::DocumentView document) const = 0;
};

// Thread-safe.
class ComputedMaker {
 public:
  virtual ~ComputedMaker() = default;
  // kInvalidArgument when one of the definitions is none.
  virtual Result<std::shared_ptr<const ComputedValues>> Make(
      const std::vector<ComputedDefinition>& definitions) const = 0;
};

}  // namespace orrery::item
