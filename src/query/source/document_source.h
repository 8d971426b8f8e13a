// A DocumentSource gives a query the documents of its container, one after the other.
//
// The documents of a container are one implementation (gateway_source.h); what a stored procedure
// sees before it commits is another. Used by one thread at a time.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "model/value.h"

namespace orrery::query {

class DocumentSource {
 public:
  virtual ~DocumentSource() = default;

  // Moves to the next document. False when there are no more, or when paused().
  virtual Result<bool> Next() = 0;
  // Returns whether documents are left that this source will not read: the page has cost enough.
  virtual bool paused() const { return false; }
  // Returns whether it is known, without reading on, that Next() would be false and not paused.
  virtual bool exhausted() const { return false; }

  // The document as the query sees it; good until the next Next(). REQUIRES: Next() was true.
  virtual const model::Value& document() const = 0;
  // Bytes that tell documents apart and order them, in every run the same. REQUIRES as document().
  virtual std::string_view key() const = 0;

  // The place where another source of the same kind goes on: behind the current document, or with
  // it. REQUIRES as document().
  enum class Resume { kBehind, kWith };
  virtual std::string Position(Resume resume) const = 0;
};

}  // namespace orrery::query
