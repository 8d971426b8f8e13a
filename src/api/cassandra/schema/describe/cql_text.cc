#include "api/cassandra/schema/describe/cql_text.h"

#include "api/cassandra/parser/print/print.h"

namespace orrery::cassandra {
namespace {

constexpr size_t kIndentWidth = 4;

}  // namespace

CqlText& CqlText::Add(std::string_view text) {
  if (at_line_start_) text_.append(kIndentWidth * static_cast<size_t>(indent_), ' ');
  at_line_start_ = false;
  text_ += text;
  return *this;
}

CqlText& CqlText::Name(std::string_view name) { return Add(PrintName(name)); }

CqlText& CqlText::Name(std::string_view keyspace, std::string_view name) {
  return Name(keyspace).Add(".").Name(name);
}

CqlText& CqlText::String(std::string_view text) { return Add(PrintString(text)); }

CqlText& CqlText::Map(const OptionMap& map) {
  Add("{");
  bool first = true;
  for (const auto& [key, value] : map) {
    if (!first) Add(", ");
    first = false;
    String(key).Add(": ").String(value);
  }
  return Add("}");
}

CqlText& CqlText::NewLine() {
  text_ += '\n';
  at_line_start_ = true;
  return *this;
}

CqlText& CqlText::Indent() {
  ++indent_;
  return *this;
}

CqlText& CqlText::Outdent() {
  --indent_;
  return *this;
}

}  // namespace orrery::cassandra
