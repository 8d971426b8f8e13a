#include "api/cassandra/executor/read/result_writer.h"

#include "api/cassandra/planner/term/row_values.h"
#include "api/cassandra/types/json/json.h"
#include "base/bytes.h"

namespace orrery::cassandra {

void AppendCell(std::string& cells, std::optional<std::string_view> value) {
  AppendBigEndian(cells, value.has_value() ? static_cast<int32_t>(value->size()) : int32_t{-1});
  if (value.has_value()) cells += *value;
}

CqlStatus ResultWriter::Append(const Evaluation& evaluation, std::string& cells) const {
  if (plan_.is_json) return AppendJson(evaluation, cells);
  for (const SelectedValue& selected : plan_.selection) {
    if (selected.place.has_value()) {
      AppendCell(cells, evaluation.row->values[*selected.place]);
      continue;
    }
    CQL_ASSIGN(const TermValue value, selected.expression->Evaluate(evaluation));
    AppendCell(cells, value.view());
  }
  return {};
}

CqlStatus ResultWriter::AppendJson(const Evaluation& evaluation, std::string& cells) const {
  std::string json = "{";
  for (const SelectedValue& selected : plan_.selection) {
    if (json.size() > 1) json += ", ";
    json += JsonName(selected.json_name);
    json += ": ";
    TermValue computed;
    std::optional<std::string_view> value;
    if (selected.place.has_value()) {
      value = evaluation.row->values[*selected.place];
    } else {
      CQL_ASSIGN(computed, selected.expression->Evaluate(evaluation));
      value = computed.view();
    }
    if (!value.has_value()) {
      json += "null";
      continue;
    }
    CQL_ASSIGN(const std::string text, ToJson(*selected.type, *value));
    json += text;
  }
  json += "}";
  AppendCell(cells, json);
  return {};
}

}  // namespace orrery::cassandra
