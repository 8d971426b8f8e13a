#include "api/sql/document/document_form.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "api/sql/document/etag.h"
#include "model/document/document_builder.h"
#include "model/document/json.h"

namespace orrery::sql {
namespace {

constexpr std::string_view kAttachments = "attachments/";

int64_t Seconds(Micros time) {
  return std::chrono::duration_cast<std::chrono::seconds>(time).count();
}

}  // namespace

bool IsSystemProperty(std::string_view name) {
  return name == kRidProperty || name == kSelfProperty || name == kEtagProperty ||
         name == kAttachmentsProperty || name == kTimeProperty;
}

model::Document ToStored(model::DocumentView sent, Micros now) {
  model::DocumentBuilder stored;
  for (const model::ElementView field : sent)
    if (!IsSystemProperty(field.name())) stored.Append(field.name(), field);
  stored.AppendInt64(kTimeProperty, Seconds(now));
  return std::move(stored).Finish();
}

void AppendSeenJson(std::string& out, model::DocumentView stored, const ContainerNames& names,
                    const DocumentVersion& version) {
  const std::string rid = names.DocumentRid(version.key);
  model::AppendJson(out, stored);
  out.pop_back();
  if (!stored.empty()) out += ',';
  if (!stored.Find(kTimeProperty).has_value())
    out += fmt::format(R"("_ts":{},)", Seconds(version.time));
  // Rids are base64 and etags hexadecimal: only the etag's own quotes are to be escaped.
  const std::string etag = FormatEtag(version.lsn);
  out += R"("_rid":")";
  out += rid;
  out += R"(","_self":")";
  out += names.DocumentSelf(rid);
  out += R"(","_etag":)";
  model::AppendJsonString(out, etag);
  out += R"(,"_attachments":")";
  out += kAttachments;
  out += "\"}";
}

model::Value ToSeen(model::DocumentView stored, const ContainerNames& names,
                    const DocumentVersion& version) {
  model::Value seen = stored.ToObject();
  model::Fields& fields = seen.MutableFields();
  if (seen.Find(kTimeProperty) == nullptr)
    fields.push_back({std::string(kTimeProperty), model::Value::Int64(Seconds(version.time))});
  const auto add = [&](std::string_view name, std::string text) {
    fields.push_back({std::string(name), model::Value::String(std::move(text))});
  };
  std::string rid = names.DocumentRid(version.key);
  std::string self = names.DocumentSelf(rid);
  add(kRidProperty, std::move(rid));
  add(kSelfProperty, std::move(self));
  add(kEtagProperty, FormatEtag(version.lsn));
  add(kAttachmentsProperty, std::string(kAttachments));
  return seen;
}

}  // namespace orrery::sql
