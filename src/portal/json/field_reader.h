// Reads the fields of a JSON request body, and remembers the first thing that is wrong with it.
//
// A handler asks for every field it knows, then calls Finish(): a field of the wrong type, a
// required one that is missing, and any that nobody asked for are refused by name. So a typing
// error in a request is never silently ignored.
//
// Not thread-safe. The document must outlive the reader.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "model/document/document.h"
#include "model/value.h"

namespace orrery::portal {

class FieldReader {
 public:
  explicit FieldReader(model::DocumentView document) : document_(document) {}

  // nullopt when the field is absent or has another type (which Finish then reports).
  std::optional<std::string> String(std::string_view name);
  std::optional<int64_t> Integer(std::string_view name);
  std::optional<bool> Bool(std::string_view name);
  std::optional<model::DocumentView> Object(std::string_view name);
  std::optional<model::DocumentView> Array(std::string_view name);
  // Any JSON value.
  std::optional<model::Value> Any(std::string_view name);

  // For fields that must be there; the value is meaningless when Finish fails.
  std::string RequiredString(std::string_view name);
  int64_t RequiredInteger(std::string_view name);

  // The first error, or kInvalidArgument that names a field which was not asked for.
  Status Finish();

 private:
  std::optional<model::ElementView> Take(std::string_view name);
  void Refuse(std::string_view name, std::string_view wanted);
  void RequirePresence(std::string_view name, bool present);

  const model::DocumentView document_;
  std::vector<std::string> known_;
  std::optional<Error> error_;
};

}  // namespace orrery::portal
