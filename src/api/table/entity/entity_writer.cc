#include "api/table/entity/entity_writer.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/table/entity/etag.h"
#include "api/table/entity/stored_entity.h"
#include "gateway/account/base64.h"
#include "model/document/json.h"
#include "net/http/url.h"

namespace orrery::table {
namespace {

void AppendName(std::string& out, std::string_view name) {
  if (out.back() != '{') out += ',';
  model::AppendJsonString(out, name);
  out += ':';
}

void AppendText(std::string& out, std::string_view name, std::string_view text) {
  AppendName(out, name);
  model::AppendJsonString(out, text);
}

// `name`: as JSON, with its colon; it needs no escape.
void AppendPlain(std::string& out, std::string_view name, std::string_view text) {
  if (out.back() != '{') out += ',';
  out += name;
  model::AppendJsonString(out, text);
}

void AppendValue(std::string& out, const EdmValue& value) {
  switch (value.type()) {
    case EdmType::kBoolean:
      out += value.AsBoolean() ? "true" : "false";
      return;
    case EdmType::kInt32:
      out += fmt::to_string(value.AsInteger());
      return;
    case EdmType::kInt64:
      model::AppendJsonString(out, fmt::to_string(value.AsInteger()));
      return;
    case EdmType::kDateTime:
      model::AppendJsonString(out, model::FormatTicks(value.AsTicks()));
      return;
    case EdmType::kBinary:
      model::AppendJsonString(out, gateway::ToBase64(value.AsString()));
      return;
    case EdmType::kString:
    case EdmType::kGuid:
      model::AppendJsonString(out, value.AsString());
      return;
    case EdmType::kDouble:
      break;
  }
  if (const auto text = NonFiniteText(value.AsDouble()); !text.empty()) {
    model::AppendJsonString(out, text);
    return;
  }
  const size_t before = out.size();
  model::AppendJson(out, model::Value::Double(value.AsDouble()));
  // A whole number must not look like an Int32.
  if (std::string_view(out).substr(before).find_first_of(".eE") == std::string_view::npos)
    out += ".0";
}

bool IsNonFinite(const EdmValue& value) {
  return value.type() == EdmType::kDouble && !NonFiniteText(value.AsDouble()).empty();
}

std::string QuotedKey(std::string_view key) {
  if (key.find('\'') == std::string_view::npos) return net::PercentEncode(key);
  std::string doubled;
  for (const char c : key) doubled += c == '\'' ? std::string("''") : std::string(1, c);
  return net::PercentEncode(doubled);
}

}  // namespace

std::string EntityLink(std::string_view table, std::string_view partition_key,
                       std::string_view row_key) {
  return fmt::format("{}(PartitionKey='{}',RowKey='{}')", table, QuotedKey(partition_key),
                     QuotedKey(row_key));
}

void EntityWriter::Append(std::string& out, model::DocumentView document, Micros time) const {
  AppendEntity(out, document, time, /*is_alone=*/false);
}

void EntityWriter::AppendAlone(std::string& out, model::DocumentView document, Micros time) const {
  AppendEntity(out, document, time, /*is_alone=*/true);
}

void EntityWriter::AppendEntity(std::string& out, model::DocumentView document, Micros time,
                                bool is_alone) const {
  const std::string timestamp = FormatTimestamp(time);
  out += '{';
  if (format_.level != MetadataLevel::kNone) {
    if (is_alone) {
      AppendText(out, "odata.metadata",
                 fmt::format("{}/$metadata#{}/@Element", format_.base_url, format_.table));
    }
    if (format_.level == MetadataLevel::kFull) {
      const std::string link = EntityLink(format_.table, KeyOf(document, kPartitionKeyField),
                                          KeyOf(document, kRowKeyField));
      AppendText(out, "odata.type", fmt::format("{}.{}", format_.account, format_.table));
      AppendText(out, "odata.id", fmt::format("{}/{}", format_.base_url, link));
      AppendText(out, "odata.editLink", link);
    }
    AppendPlain(out, R"("odata.etag":)", EtagOf(timestamp));
  }
  if (!format_.selected.empty()) {
    AppendSelected(out, document, timestamp);
  } else {
    AppendPlain(out, R"("PartitionKey":)", KeyOf(document, kPartitionKeyField));
    AppendPlain(out, R"("RowKey":)", KeyOf(document, kRowKeyField));
    AppendTimestamp(out, timestamp);
    for (const model::ElementView field : document)
      if (const auto property = PropertyOf(field.name())) AppendStored(out, *property, field);
  }
  out += '}';
}

void EntityWriter::AppendSelected(std::string& out, model::DocumentView document,
                                  std::string_view timestamp) const {
  for (const std::string& name : format_.selected) {
    if (name == "PartitionKey") {
      AppendText(out, name, KeyOf(document, kPartitionKeyField));
    } else if (name == "RowKey") {
      AppendText(out, name, KeyOf(document, kRowKeyField));
    } else if (name == "Timestamp") {
      AppendTimestamp(out, timestamp);
    } else if (const auto field = document.Find(FieldOf(name)); field.has_value()) {
      AppendStored(out, name, *field);
    } else {
      AppendName(out, name);
      out += "null";
    }
  }
}

void EntityWriter::AppendTimestamp(std::string& out, std::string_view timestamp) const {
  if (format_.level == MetadataLevel::kFull)
    AppendText(out, "Timestamp@odata.type", NameOf(EdmType::kDateTime));
  AppendPlain(out, R"("Timestamp":)", timestamp);
}

void EntityWriter::AppendStored(std::string& out, std::string_view property,
                                const model::ElementView& field) const {
  const auto stored = TypedElementIn(field);
  if (!stored.has_value()) return;
  // Most properties are texts, which need no copy.
  if (stored->type == EdmType::kString && stored->value.kind() == model::Kind::kString)
    return AppendText(out, property, stored->value.AsString());
  const auto value = StoredValue(*stored);
  if (!value.has_value()) return;
  if (format_.level != MetadataLevel::kNone && (IsAnnotated(value->type()) || IsNonFinite(*value)))
    AppendText(out, fmt::format("{}@odata.type", property), NameOf(value->type()));
  AppendName(out, property);
  AppendValue(out, *value);
}

}  // namespace orrery::table
