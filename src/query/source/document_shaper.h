// A DocumentShaper makes of a stored document what a query sees: an API may add properties that are
// not stored, and leaves out those that the query does not look at.
//
// Immutable, so thread-safe.
#pragma once

#include "gateway/requests.h"
#include "model/value.h"

namespace orrery::query {

class DocumentShaper {
 public:
  virtual ~DocumentShaper() = default;

  // Returns whether Shape() reads the stored document: otherwise it need not have been read.
  virtual bool reads_document() const = 0;
  virtual model::Value Shape(const item::ScannedItem& item) const = 0;
};

}  // namespace orrery::query
