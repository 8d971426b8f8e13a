// Puts together the text of a CREATE statement: lines with an indent, names and maps as CQL writes
// them.
#pragma once

#include <string>
#include <string_view>

#include "api/cassandra/schema/table_options.h"

namespace orrery::cassandra {

class CqlText {
 public:
  CqlText& Add(std::string_view text);
  CqlText& Name(std::string_view name);                             // quoted when it must be
  CqlText& Name(std::string_view keyspace, std::string_view name);  // ks.name
  CqlText& String(std::string_view text);                           // 'it''s'
  CqlText& Map(const OptionMap& map);                               // {'a': 'b'}
  CqlText& NewLine();
  CqlText& Indent();
  CqlText& Outdent();

  std::string Finish() && { return std::move(text_); }

 private:
  std::string text_;
  int indent_ = 0;
  bool at_line_start_ = false;  // the indent comes with the line's first text
};

}  // namespace orrery::cassandra
