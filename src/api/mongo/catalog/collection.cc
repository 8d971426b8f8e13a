#include "api/mongo/catalog/collection.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/mongo/catalog/capped_form.h"
#include "model/document/document_builder.h"

namespace orrery::mongo {
namespace {

constexpr std::string_view kExtraField = "mongo";

// The facts of a collection that are kept in its container's `extra`:
//   {mongo: {uuid, options: {...}, shardKey: "a.b", hashed: bool, indexes: [{id, spec}]}}
model::Document ExtraOf(const model::Value& uuid, model::DocumentView options,
                        const std::optional<std::string>& shard_key, bool is_hashed,
                        const std::vector<IndexSpec>& indexes) {
  model::DocumentBuilder builder;
  builder.OpenObject(kExtraField).Append("uuid", uuid).AppendDocument("options", options);
  if (shard_key.has_value())
    builder.AppendString("shardKey", *shard_key).AppendBool("hashed", is_hashed);
  builder.OpenArray("indexes");
  for (size_t i = 0; i < indexes.size(); ++i) {
    builder.OpenObject(std::to_string(i));
    builder.AppendInt64("id", indexes[i].id).AppendDocument("spec", indexes[i].spec);
    builder.Close();
  }
  builder.Close().Close();
  return std::move(builder).Finish();
}

// Indexes that are in `kept` stay as they are there: existing documents follow that.
Answer<std::vector<item::NamedIndex>> NamedOf(const std::vector<IndexSpec>& indexes,
                                              const std::vector<item::NamedIndex>& kept,
                                              bool is_capped) {
  std::vector<item::NamedIndex> named;
  if (is_capped) named.push_back(SequenceIndex());
  for (const IndexSpec& index : indexes) {
    const auto found = std::ranges::find(kept, index.id, &item::NamedIndex::id);
    if (found != kept.end()) {
      named.push_back(*found);
      continue;
    }
    MONGO_ASSIGN(item::NamedIndex made, NamedIndexOf(index, index.id));
    named.push_back(std::move(made));
  }
  return named;
}

model::Document OwnedCopy(model::DocumentView view) {
  return model::Document::Trusted(std::string(view.bson()));
}

void ReadExtra(model::DocumentView kept, Collection& collection) {
  collection.uuid = kept.Get("uuid");
  if (const auto options = kept.Find("options"); options && options->kind() == model::Kind::kObject)
    collection.options = OwnedCopy(options->AsDocument());
  if (const auto key = kept.Find("shardKey"); key && key->kind() == model::Kind::kString)
    collection.shard_key = std::string(key->AsString());
  if (const auto hashed = kept.Find("hashed"); hashed && hashed->kind() == model::Kind::kBool)
    collection.shard_key_is_hashed = hashed->AsBool();
  const auto indexes = kept.Find("indexes");
  if (!indexes.has_value() || indexes->kind() != model::Kind::kArray) return;
  for (const model::ElementView entry : indexes->AsDocument()) {
    if (entry.kind() != model::Kind::kObject) continue;
    const auto id = entry.AsDocument().Find("id");
    const auto spec = entry.AsDocument().Find("spec");
    if (!id || !spec || spec->kind() != model::Kind::kObject) continue;
    const auto key = spec->AsDocument().Find("key");
    const auto name = spec->AsDocument().Find("name");
    if (!key || !name || key->kind() != model::Kind::kObject) continue;
    // One that the core has not is an index that documents could not follow: it was taken back.
    const auto& named = collection.settings().indexing.named;
    if (std::ranges::find(named, static_cast<uint32_t>(id->AsInteger()), &item::NamedIndex::id) ==
        named.end())
      continue;
    collection.indexes.push_back({.name = std::string(name->AsString()),
                                  .key = OwnedCopy(key->AsDocument()),
                                  .spec = OwnedCopy(spec->AsDocument()),
                                  .id = static_cast<uint32_t>(id->AsInteger())});
  }
}

// Of a container that another API made: the same for ever, and no other has it.
model::Value UuidOf(const gateway::ContainerEntry& container) {
  std::string bytes(16, '\0');
  const uint64_t id = container.lineage.value();
  for (size_t i = 0; i < 8; ++i) bytes[15 - i] = static_cast<char>(id >> (8 * i));
  bytes[6] = 0x40;
  bytes[8] = static_cast<char>(0x80);
  return model::Value::Binary(std::move(bytes), 4);
}

}  // namespace

model::Path PathOf(std::string_view dotted) {
  std::vector<std::string> steps;
  while (true) {
    const size_t dot = dotted.find('.');
    steps.emplace_back(dotted.substr(0, dot));
    if (dot == std::string_view::npos) return model::Path(std::move(steps));
    dotted.remove_prefix(dot + 1);
  }
}

std::string UuidText(const model::Value& uuid) {
  if (uuid.kind() != model::Kind::kBinary || uuid.AsBytes().size() != 16) return {};
  std::string text;
  for (size_t i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", static_cast<uint8_t>(uuid.AsBytes()[i]));
  }
  return text;
}

CollectionPtr ReadCollection(const gateway::ContainerRef& container) {
  auto collection = std::make_shared<Collection>();
  collection->name = {container->database_name, container->settings.name};
  collection->container = container;
  const bool ours = container->settings.order == model::Order::kMongo;
  collection->form = ours ? DocumentForm::kMongo : DocumentForm::kOther;
  collection->uuid = UuidOf(*container);
  const auto& extra = container->settings.extra;
  const auto kept = extra.has_value() ? extra->view().Find(kExtraField) : std::nullopt;
  if (kept.has_value() && kept->kind() == model::Kind::kObject)
    ReadExtra(kept->AsDocument(), *collection);
  if (ours && AreCapped(collection->options)) collection->form = DocumentForm::kCapped;
  // Checked when it was set.
  if (auto validator = Validator::Make(collection->options); validator.has_value())
    collection->validator = *std::move(validator);
  if (!ours && container->schema->partition_key_paths.size() == 1) {
    std::string dotted;
    for (const std::string& step : container->schema->partition_key_paths.front().steps())
      dotted += (dotted.empty() ? "" : ".") + step;
    collection->shard_key = dotted;
  }
  return collection;
}

Answer<gateway::ContainerSettings> SettingsOf(const NewCollection& made, const model::Value& uuid) {
  gateway::ContainerSettings settings;
  settings.name = made.name.collection;
  if (made.shard_key.has_value())
    settings.partition_key_paths = {PathOf(*made.shard_key).ToString()};
  settings.order = model::Order::kMongo;
  settings.row_key_path = "/_id";
  settings.indexing.automatic = false;
  settings.indexing.included_paths.clear();
  settings.indexing.excluded_paths.clear();
  settings.throughput = made.throughput;
  std::vector<IndexSpec> indexes = made.indexes;
  const bool is_capped = AreCapped(made.options);
  uint32_t id = is_capped ? kSequenceIndexId : 0;
  for (IndexSpec& index : indexes) index.id = ++id;
  MONGO_ASSIGN(settings.indexing.named, NamedOf(indexes, {}, is_capped));
  settings.extra = ExtraOf(uuid, made.options, made.shard_key, made.shard_key_is_hashed, indexes);
  return settings;
}

Answer<gateway::ContainerSettings> WithIndexes(const Collection& collection,
                                               const std::vector<IndexSpec>& indexes) {
  gateway::ContainerSettings settings = collection.settings();
  std::vector<IndexSpec> kept = indexes;
  uint32_t highest = collection.container->highest_index_id;
  for (const IndexSpec& index : kept) highest = std::max(highest, index.id);
  for (IndexSpec& index : kept) {
    if (index.id == 0) index.id = ++highest;
  }
  MONGO_ASSIGN(settings.indexing.named, NamedOf(kept, collection.settings().indexing.named,
                                                collection.form == DocumentForm::kCapped));
  settings.extra = ExtraOf(collection.uuid, collection.options, collection.shard_key,
                           collection.shard_key_is_hashed, kept);
  return settings;
}

gateway::ContainerSettings WithOptions(const Collection& collection, model::Document options) {
  gateway::ContainerSettings settings = collection.settings();
  settings.extra = ExtraOf(collection.uuid, options, collection.shard_key,
                           collection.shard_key_is_hashed, collection.indexes);
  return settings;
}

}  // namespace orrery::mongo
