// StoredProperties gives a filter the properties of a stored entity. A view: the document must
// outlive it.
#pragma once

#include "api/table/filter/filter.h"
#include "base/clock.h"
#include "model/document/document.h"

namespace orrery::table {

class StoredProperties final : public PropertyReader {
 public:
  // `time`: of the entity's last write.
  StoredProperties(model::DocumentView document, Micros time) : document_(document), time_(time) {}

  std::optional<EdmValue> Read(const std::string& name) const override;

 private:
  const model::DocumentView document_;
  const Micros time_;
};

}  // namespace orrery::table
