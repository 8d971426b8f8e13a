// Writes one BSON document field by field.
//
// Not thread-safe. Does not look for duplicate names and does not count depth: what comes out is
// valid BSON, within kDocumentDepthMax if the caller's values are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/document/document.h"
#include "model/value.h"

namespace orrery::model {

class DocumentBuilder {
 public:
  DocumentBuilder();
  // Writes into the memory of `buffer`, whose content is lost.
  explicit DocumentBuilder(std::string buffer);

  // Takes memory for so many bytes, to spare growing.
  DocumentBuilder& Reserve(size_t bytes);

  // Names REQUIRE to be free of NUL bytes. Kinds that BSON lacks are stored as the nearest one it
  // has: small integers as int32, float as double, ascii as string, UUIDs as binary of subtype 4,
  // sets as arrays, maps as objects named by their keys' text, all other CQL kinds as their text.
  DocumentBuilder& Append(std::string_view name, const Value& value);
  DocumentBuilder& Append(std::string_view name, const ElementView& element);
  DocumentBuilder& AppendBool(std::string_view name, bool value);
  DocumentBuilder& AppendInt32(std::string_view name, int32_t value);
  DocumentBuilder& AppendInt64(std::string_view name, int64_t value);
  DocumentBuilder& AppendDouble(std::string_view name, double value);
  DocumentBuilder& AppendString(std::string_view name, std::string_view value);
  DocumentBuilder& AppendDocument(std::string_view name, DocumentView value);

  // Everything appended until the matching Close goes inside. In an array the caller names the
  // elements "0", "1", ...
  DocumentBuilder& OpenObject(std::string_view name);
  DocumentBuilder& OpenArray(std::string_view name);
  DocumentBuilder& Close();

  // REQUIRES: every Open has its Close. The builder is spent.
  Document Finish() &&;

 private:
  void AppendHeader(uint8_t bson_type, std::string_view name);
  void AppendText(std::string_view text);
  void AppendFields(const Fields& fields);
  void AppendElements(const Values& values);

  std::string out_;
  std::vector<size_t> open_;  // where each open document starts
};

// `value` as a document. REQUIRES: kind object.
Document ToDocument(const Value& value);

}  // namespace orrery::model
