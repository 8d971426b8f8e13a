// Reads the documents in which definitions are kept, with errors that name the field.
//
// The bytes come from the disk: whatever does not fit gives kCorruption. Maps with keys of users
// are kept as arrays of two strings each, because a BSON name cannot hold every text.
//
// A view: the document must outlive it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/cassandra/schema/table_options.h"
#include "base/status.h"
#include "model/document/document.h"
#include "model/document/document_builder.h"

namespace orrery::cassandra {

class Fields {
 public:
  explicit Fields(model::DocumentView document) : document_(document) {}

  bool Has(std::string_view name) const { return document_.Find(name).has_value(); }
  Result<std::string> String(std::string_view name) const;
  Result<std::optional<std::string>> OptionalString(std::string_view name) const;
  Result<int64_t> Integer(std::string_view name, int64_t low, int64_t high) const;
  // Absent is false.
  Result<bool> Bool(std::string_view name) const;
  Result<double> Real(std::string_view name) const;
  Result<Fields> Object(std::string_view name) const;
  // Absent is none of them.
  Result<std::vector<Fields>> Objects(std::string_view name) const;
  Result<std::vector<std::string>> Strings(std::string_view name) const;
  Result<OptionMap> Map(std::string_view name) const;

 private:
  Result<model::ElementView> Require(std::string_view name) const;

  model::DocumentView document_;
};

void AppendMap(model::DocumentBuilder& builder, std::string_view name, const OptionMap& map);
void AppendStrings(model::DocumentBuilder& builder, std::string_view name,
                   const std::vector<std::string>& strings);
// An array with an object for each of `all`, which `append(one)` fills in.
template <typename All, typename Append>
void AppendObjects(model::DocumentBuilder& builder, std::string_view name, const All& all,
                   Append append) {
  builder.OpenArray(name);
  size_t i = 0;
  for (const auto& one : all) {
    builder.OpenObject(std::to_string(i++));
    append(one);
    builder.Close();
  }
  builder.Close();
}

}  // namespace orrery::cassandra
