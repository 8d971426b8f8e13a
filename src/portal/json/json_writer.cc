#include "portal/json/json_writer.h"

#include <cmath>
#include <utility>

#include "base/check.h"
#include "model/document/json.h"

namespace orrery::portal {

void JsonWriter::BeforeValue() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (has_members_.empty()) return;
  if (has_members_.back()) out_ += ',';
  has_members_.back() = true;
}

JsonWriter& JsonWriter::Raw(std::string_view json) {
  BeforeValue();
  out_ += json;
  return *this;
}

JsonWriter& JsonWriter::BeginObject() {
  BeforeValue();
  out_ += '{';
  has_members_.push_back(false);
  return *this;
}

JsonWriter& JsonWriter::EndObject() {
  ORRERY_CHECK(!has_members_.empty());
  has_members_.pop_back();
  out_ += '}';
  return *this;
}

JsonWriter& JsonWriter::BeginArray() {
  BeforeValue();
  out_ += '[';
  has_members_.push_back(false);
  return *this;
}

JsonWriter& JsonWriter::EndArray() {
  ORRERY_CHECK(!has_members_.empty());
  has_members_.pop_back();
  out_ += ']';
  return *this;
}

JsonWriter& JsonWriter::Key(std::string_view name) {
  BeforeValue();
  model::AppendJsonString(out_, name);
  out_ += ':';
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::String(std::string_view text) {
  BeforeValue();
  model::AppendJsonString(out_, text);
  return *this;
}

JsonWriter& JsonWriter::Bool(bool value) { return Raw(value ? "true" : "false"); }
JsonWriter& JsonWriter::Null() { return Raw("null"); }

JsonWriter& JsonWriter::Double(double value) {
  return std::isfinite(value) ? Value(model::Value::Double(value)) : Null();
}

JsonWriter& JsonWriter::Document(model::DocumentView document) {
  BeforeValue();
  model::AppendJson(out_, document);
  return *this;
}

JsonWriter& JsonWriter::Value(const model::Value& value) {
  BeforeValue();
  model::AppendJson(out_, value);
  return *this;
}

std::string JsonWriter::Finish() && {
  ORRERY_CHECK(has_members_.empty() && !after_key_);
  return std::move(out_);
}

}  // namespace orrery::portal
