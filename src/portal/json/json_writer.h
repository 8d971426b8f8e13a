// Writes a JSON answer piece by piece, straight into the response's body.
//
// Text in the caller's hands is escaped here; documents and values are written by
// model/document/json.h. Not thread-safe.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/document/document.h"
#include "model/value.h"

namespace orrery::portal {

class JsonWriter {
 public:
  // Containers. REQUIRES: in an object, a Key before each value; each Begin has its End.
  JsonWriter& BeginObject();
  JsonWriter& EndObject();
  JsonWriter& BeginArray();
  JsonWriter& EndArray();
  JsonWriter& Key(std::string_view name);

  JsonWriter& String(std::string_view text);
  JsonWriter& Bool(bool value);
  JsonWriter& Null();
  JsonWriter& Double(double value);  // null when not finite
  template <std::integral T>
  JsonWriter& Integer(T value) {
    return Raw(std::to_string(value));
  }
  // Text that is JSON already.
  JsonWriter& Json(std::string_view json) { return Raw(json); }
  JsonWriter& Document(model::DocumentView document);
  JsonWriter& Value(const model::Value& value);

  // Key and value at once.
  JsonWriter& Field(std::string_view name, std::string_view text) { return Key(name).String(text); }
  JsonWriter& Field(std::string_view name, const char* text) { return Key(name).String(text); }
  JsonWriter& Field(std::string_view name, bool value) { return Key(name).Bool(value); }
  JsonWriter& Field(std::string_view name, double value) { return Key(name).Double(value); }
  template <std::integral T>
  JsonWriter& Field(std::string_view name, T value) {
    return Key(name).Integer(value);
  }

  // REQUIRES: everything begun has ended.
  std::string Finish() &&;

 private:
  JsonWriter& Raw(std::string_view json);
  void BeforeValue();

  std::string out_;
  std::vector<bool> has_members_;  // one for each open object or array
  bool after_key_ = false;
};

}  // namespace orrery::portal
