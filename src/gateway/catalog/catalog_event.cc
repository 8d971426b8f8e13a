#include "gateway/catalog/catalog_event.h"

#include "base/bytes.h"
#include "gateway/catalog/document_fields.h"
#include "model/document/document_builder.h"

namespace orrery::gateway {
namespace {

constexpr int64_t kContainerIdMax = UINT32_MAX;

Status ReadEventField(const model::ElementView& field, CatalogEvent& event) {
  const std::string_view name = field.name();
  if (name == "kind") {
    ORRERY_ASSIGN(const int64_t kind,
                  IntegerField(field, 1, static_cast<int64_t>(CatalogEventKind::kUpdate)));
    event.kind = static_cast<CatalogEventKind>(kind);
  } else if (name == "container" || name == "replaced") {
    ORRERY_ASSIGN(const int64_t id, IntegerField(field, 0, kContainerIdMax));
    (name == "container" ? event.container : event.replaced) =
        ContainerId(static_cast<uint32_t>(id));
  } else if (name == "database") {
    ORRERY_ASSIGN(event.database, StringField(field));
  } else if (name == "name") {
    ORRERY_ASSIGN(event.name, StringField(field));
  } else if (name == "toDatabase") {
    ORRERY_ASSIGN(event.to_database, StringField(field));
  } else if (name == "toName") {
    ORRERY_ASSIGN(event.to_name, StringField(field));
  } else if (name == "note") {
    ORRERY_ASSIGN(const model::DocumentView note, ObjectField(field));
    event.note = model::Document::Trusted(std::string(note.bson()));
  }
  return {};
}

}  // namespace

std::string CatalogEventKey(Micros time) {
  std::string key(kCatalogEventPrefix);
  AppendBigEndian(key, static_cast<uint64_t>(time.count()));
  return key;
}

std::string EncodeCatalogEvent(const CatalogEvent& event) {
  model::DocumentBuilder builder;
  builder.AppendInt32("kind", static_cast<int32_t>(event.kind));
  builder.AppendInt64("container", event.container.value());
  builder.AppendString("database", event.database).AppendString("name", event.name);
  if (!event.to_name.empty()) {
    builder.AppendString("toDatabase", event.to_database).AppendString("toName", event.to_name);
  }
  if (event.replaced != ContainerId()) builder.AppendInt64("replaced", event.replaced.value());
  if (event.note.has_value()) builder.AppendDocument("note", *event.note);
  return std::move(builder).Finish().Release();
}

Result<CatalogEvent> DecodeCatalogEvent(std::string_view key, std::string_view value) {
  CatalogEvent event;
  const auto read = [&]() -> Status {
    uint64_t time = 0;
    key.remove_prefix(std::min(key.size(), kCatalogEventPrefix.size()));
    ByteReader reader(key);
    if (!reader.ReadBigEndian(time) || !reader.empty() || time > INT64_MAX)
      return Fail(Code::kCorruption, "its key is damaged");
    event.time = Micros(static_cast<int64_t>(time));
    ORRERY_ASSIGN(const model::DocumentView record, model::DocumentView::FromBson(value));
    for (const model::ElementView field : record) ORRERY_TRY(ReadEventField(field, event));
    return {};
  };
  if (Status status = read(); !status.has_value()) {
    return Fail(Code::kCorruption,
                "the record of a change of the catalog is damaged: " + status.error().message());
  }
  return event;
}

}  // namespace orrery::gateway
