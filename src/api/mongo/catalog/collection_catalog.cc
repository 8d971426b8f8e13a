#include "api/mongo/catalog/collection_catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/mongo/catalog/collation.h"
#include "api/mongo/catalog/duplicate_key.h"
#include "api/mongo/catalog/stream_scope.h"
#include "api/mongo/error/error_map.h"
#include "model/document/document_builder.h"

namespace orrery::mongo {
namespace {

// A change of a database's record is made anew when another was faster; more often in a row is no
// accident.
constexpr int kChangesMax = 16;
constexpr int kViewsMax = 20;  // over each other

bool IsCollection(const gateway::ContainerRef& container) {
  return container != nullptr && !container->settings.rows.has_value();
}

std::vector<View> ViewsOf(const gateway::DatabaseEntry& database) {
  std::vector<View> views;
  if (!database.extra.has_value()) return views;
  const auto kept = database.extra->view().Find("mongo");
  if (!kept.has_value() || kept->kind() != model::Kind::kObject) return views;
  const auto list = kept->AsDocument().Find("views");
  if (!list.has_value() || list->kind() != model::Kind::kArray) return views;
  for (const model::ElementView entry : list->AsDocument()) {
    View view;
    const auto name = entry.AsDocument().Find("name");
    const auto options = entry.AsDocument().Find("options");
    if (!name || !options) continue;
    view.name = {database.name, std::string(name->AsString())};
    view.options = model::Document::Trusted(std::string(options->AsDocument().bson()));
    if (const auto on = view.options.view().Find("viewOn")) view.on = on->AsString();
    if (const auto pipeline = view.options.view().Find("pipeline")) {
      for (const model::ElementView stage : pipeline->AsDocument())
        view.pipeline.push_back(model::Document::Trusted(std::string(stage.AsDocument().bson())));
    }
    views.push_back(std::move(view));
  }
  return views;
}

// A database's `extra` with these views in the place of the former ones.
model::Document WithViews(const std::optional<model::Document>& extra,
                          const std::vector<View>& views) {
  model::DocumentBuilder builder;
  if (extra.has_value()) {
    for (const model::ElementView field : extra->view()) {
      if (field.name() != "mongo") builder.Append(field.name(), field);
    }
  }
  builder.OpenObject("mongo");
  const auto kept = extra.has_value() ? extra->view().Find("mongo") : std::nullopt;
  if (kept.has_value() && kept->kind() == model::Kind::kObject) {
    for (const model::ElementView field : kept->AsDocument()) {
      if (field.name() != "views") builder.Append(field.name(), field);
    }
  }
  builder.OpenArray("views");
  for (size_t i = 0; i < views.size(); ++i) {
    builder.OpenObject(std::to_string(i)).AppendString("name", views[i].name.collection);
    builder.AppendDocument("options", views[i].options).Close();
  }
  builder.Close().Close();
  return std::move(builder).Finish();
}

// The facts that change streams tell of a changed collection: {op, description,
// stateBeforeChange?}.
model::Document NoteOf(std::string_view operation, model::DocumentView description,
                       std::optional<model::DocumentView> state = std::nullopt) {
  model::DocumentBuilder note;
  note.AppendString("op", operation).AppendDocument("description", description);
  if (state.has_value()) note.AppendDocument("stateBeforeChange", *state);
  return std::move(note).Finish();
}

model::Document NoteOfCreation(model::DocumentView options) {
  model::DocumentBuilder description;
  for (const model::ElementView option : options) description.Append(option.name(), option);
  description.AppendDocument("idIndex", IdIndexSpec());
  return NoteOf("create", std::move(description).Finish());
}

// Of the indexes that are in `all` and not in `others`; nullopt if there are none.
std::optional<model::Document> NoteOfIndexes(std::string_view operation,
                                             const std::vector<IndexSpec>& all,
                                             const std::vector<IndexSpec>& others) {
  model::DocumentBuilder description;
  description.OpenArray("indexes");
  size_t count = 0;
  for (const IndexSpec& index : all) {
    if (std::ranges::find(others, index.name, &IndexSpec::name) == others.end())
      description.AppendDocument(std::to_string(count++), index.spec);
  }
  description.Close();
  if (count == 0) return std::nullopt;
  return NoteOf(operation, std::move(description).Finish());
}

// The options of a collection as change streams show them of the time before a change.
void AppendState(model::DocumentBuilder& state, const Collection& collection) {
  state.OpenObject("collectionOptions").Append("uuid", collection.uuid);
  for (const model::ElementView option : collection.options.view())
    state.Append(option.name(), option);
  state.Close();
}

// Of an index whose options changed; nullopt if there is none.
std::optional<model::Document> NoteOfIndexChange(const Collection& former,
                                                 const std::vector<IndexSpec>& indexes) {
  for (const IndexSpec& index : indexes) {
    const auto before = std::ranges::find(former.indexes, index.name, &IndexSpec::name);
    if (before == former.indexes.end() || before->spec.bson() == index.spec.bson()) continue;
    model::DocumentBuilder description;
    model::DocumentBuilder state;
    AppendState(state, former);
    description.OpenObject("index").AppendString("name", index.name);
    state.OpenObject("indexOptions");
    if (before->is_hidden() != index.is_hidden()) {
      description.AppendBool("hidden", index.is_hidden());
      state.AppendBool("hidden", before->is_hidden());
    }
    const auto seconds = index.spec.view().Find("expireAfterSeconds");
    const auto former_seconds = before->spec.view().Find("expireAfterSeconds");
    if (seconds.has_value()) description.Append("expireAfterSeconds", *seconds);
    if (seconds.has_value() && former_seconds.has_value())
      state.Append("expireAfterSeconds", *former_seconds);
    description.Close();
    state.Close();
    const model::Document before_change = std::move(state).Finish();
    return NoteOf("modify", std::move(description).Finish(), before_change.view());
  }
  return std::nullopt;
}

// Of options that are new or have another value.
model::Document NoteOfOptions(const Collection& former, model::DocumentView options) {
  model::DocumentBuilder description;
  for (const model::ElementView option : options) {
    const auto before = former.Option(option.name());
    if (!before.has_value() || before->ToValue() != option.ToValue())
      description.Append(option.name(), option);
  }
  model::DocumentBuilder state;
  AppendState(state, former);
  const model::Document before_change = std::move(state).Finish();
  return NoteOf("modify", std::move(description).Finish(), before_change.view());
}

}  // namespace

CollectionPtr CollectionCatalog::Read(const gateway::ContainerRef& container) const {
  MutexLock lock(mutex_);
  const auto found = kept_.find(container.get());
  if (found != kept_.end()) return found->second;
  if (kept_.size() >= kKeptMax) kept_.clear();
  CollectionPtr made = ReadCollection(container);
  kept_.emplace(container.get(), made);
  return made;
}

CollectionPtr CollectionCatalog::Find(const Namespace& name) const {
  const auto snapshot = gateway_.catalog().snapshot();
  const gateway::DatabaseRef database = snapshot->Database(name.database);
  if (database == nullptr) return nullptr;
  const gateway::ContainerRef container = snapshot->Container(database->id, name.collection);
  return IsCollection(container) ? Read(container) : nullptr;
}

Answer<CollectionPtr> CollectionCatalog::Get(const Namespace& name) const {
  CollectionPtr found = Find(name);
  if (found != nullptr) return found;
  return Refuse(ErrorCode::kNamespaceNotFound,
                fmt::format("ns does not exist: {}", name.ToString()));
}

std::optional<View> CollectionCatalog::FindView(const Namespace& name) const {
  const gateway::DatabaseRef database = gateway_.catalog().snapshot()->Database(name.database);
  if (database == nullptr || !database->extra.has_value()) return std::nullopt;
  for (View& view : ViewsOf(*database)) {
    if (view.name == name) return std::move(view);
  }
  return std::nullopt;
}

Answer<ResolvedName> CollectionCatalog::Resolve(Namespace name) const {
  ResolvedName resolved{.name = std::move(name), .pipeline = {}};
  for (int depth = 0; depth < kViewsMax; ++depth) {
    const auto view = FindView(resolved.name);
    if (!view.has_value()) return resolved;
    std::vector<model::Document> pipeline = view->pipeline;
    pipeline.insert(pipeline.end(), resolved.pipeline.begin(), resolved.pipeline.end());
    if (!resolved.is_view && view->collation().has_value())
      resolved.collation = model::Document::Trusted(std::string(view->collation()->bson()));
    resolved.is_view = true;
    resolved.name = {view->name.database, view->on};
    resolved.pipeline = std::move(pipeline);
  }
  return Refuse(165, fmt::format("View depth too deep or view cycle detected; maximum depth is {}",
                                 kViewsMax));
}

Outcome CollectionCatalog::RefuseView(const Namespace& name) const {
  if (!FindView(name).has_value()) return {};
  return Refuse(ErrorCode::kCommandNotSupportedOnView,
                fmt::format("Namespace {} is a view, not a collection", name.ToString()));
}

std::vector<DatabaseInfo> CollectionCatalog::ListDatabases() const {
  std::vector<DatabaseInfo> list;
  const auto snapshot = gateway_.catalog().snapshot();
  for (const gateway::DatabaseRef& database : snapshot->ListDatabases()) {
    const auto containers = snapshot->ListContainers(database->id);
    const auto collections = static_cast<size_t>(std::ranges::count_if(containers, IsCollection));
    const size_t views = ViewsOf(*database).size();
    // One without collections is none to MongoDB, unless it was made for its throughput.
    const bool is_made =
        containers.empty() && database->throughput.kind != partition::ThroughputKind::kNone;
    if (collections + views > 0 || is_made)
      list.push_back({.name = database->name, .collections = collections + views});
  }
  return list;
}

std::vector<CollectionPtr> CollectionCatalog::ListCollections(std::string_view database) const {
  std::vector<CollectionPtr> list;
  const auto snapshot = gateway_.catalog().snapshot();
  const gateway::DatabaseRef found = snapshot->Database(database);
  if (found == nullptr) return list;
  for (const gateway::ContainerRef& container : snapshot->ListContainers(found->id)) {
    if (IsCollection(container)) list.push_back(Read(container));
  }
  return list;
}

std::vector<View> CollectionCatalog::ListViews(std::string_view database) const {
  const gateway::DatabaseRef found = gateway_.catalog().snapshot()->Database(database);
  return found == nullptr ? std::vector<View>() : ViewsOf(*found);
}

Outcome CollectionCatalog::MakeDatabase(const std::string& name) {
  if (gateway_.catalog().snapshot()->Database(name) != nullptr) return {};
  const auto made = gateway_.catalog().CreateDatabase(name, {});
  if (!made.has_value() && made.error().code() != Code::kAlreadyExists) return Refuse(made.error());
  return {};
}

model::Value CollectionCatalog::NewUuid() const {
  std::string bytes;
  for (const uint64_t half : {random_(), random_()})
    bytes.append(reinterpret_cast<const char*>(&half), sizeof(half));
  bytes[6] = static_cast<char>((bytes[6] & 0x0f) | 0x40);
  bytes[8] = static_cast<char>((bytes[8] & 0x3f) | 0x80);
  return model::Value::Binary(std::move(bytes), 4);
}

Answer<CollectionPtr> CollectionCatalog::Create(const NewCollection& made) {
  MONGO_TRY(CheckNewCollectionName(made.name));
  MONGO_TRY(MakeDatabase(made.name.database));
  if (FindView(made.name).has_value() || Find(made.name) != nullptr) {
    return Refuse(ErrorCode::kNamespaceExists,
                  fmt::format("Collection {} already exists.", made.name.ToString()));
  }
  MONGO_ASSIGN(gateway::ContainerSettings settings, SettingsOf(made, NewUuid()));
  if (WantsImages(made.options) || IsWatched(*gateway_.catalog().snapshot(), made.name.database))
    settings.feed_retention_minutes = kHistoryMinutes;
  auto container = gateway_.catalog().CreateContainer(made.name.database, settings, {},
                                                      NoteOfCreation(made.options));
  if (container.has_value()) return Read(*container);
  if (container.error().code() == Code::kAlreadyExists) {
    return Refuse(ErrorCode::kNamespaceExists,
                  fmt::format("Collection {} already exists.", made.name.ToString()));
  }
  return Refuse(container.error());
}

Answer<CollectionPtr> CollectionCatalog::FindOrCreate(const Namespace& name) {
  if (CollectionPtr found = Find(name)) return found;
  auto made = Create({.name = name});
  if (made.has_value() || made.error().code != static_cast<int32_t>(ErrorCode::kNamespaceExists))
    return made;
  if (CollectionPtr found = Find(name)) return found;  // another was faster
  return made;
}

Answer<bool> CollectionCatalog::Drop(const Namespace& name) {
  if (FindView(name).has_value()) {
    std::vector<View> views = ListViews(name.database);
    std::erase_if(views, [&](const View& view) { return view.name == name; });
    MONGO_TRY(SetViews(name.database, views));
    return true;
  }
  if (Find(name) == nullptr) return false;
  const Status dropped = gateway_.catalog().DropContainer(name.database, name.collection);
  if (!dropped.has_value()) {
    if (dropped.error().code() == Code::kNotFound) return false;
    return Refuse(dropped.error());
  }
  return true;
}

Answer<bool> CollectionCatalog::DropDatabase(std::string_view database) {
  const auto snapshot = gateway_.catalog().snapshot();
  const gateway::DatabaseRef found = snapshot->Database(database);
  if (found == nullptr) return false;
  const auto containers = snapshot->ListContainers(found->id);
  // What other APIs keep there as rows is not MongoDB's to drop.
  if (!std::ranges::all_of(containers, IsCollection)) {
    return Refuse(
        ErrorCode::kUnauthorized,
        fmt::format("database '{}' has tables of the Cassandra API; drop it there", database));
  }
  const Status dropped = gateway_.catalog().DropDatabase(database);
  if (!dropped.has_value() && dropped.error().code() != Code::kNotFound)
    return Refuse(dropped.error());
  return true;
}

Answer<CollectionPtr> CollectionCatalog::Rename(const Namespace& from, const Namespace& to,
                                                bool drops_target) {
  const CollectionPtr source = Find(from);
  if (source == nullptr) {
    return Refuse(ErrorCode::kNamespaceNotFound,
                  fmt::format("Source collection {} does not exist", from.ToString()));
  }
  if (from == to)
    return Refuse(ErrorCode::kIllegalOperation, "Can't rename a collection to itself");
  if (!IsOwnForm(source->form)) {
    return Refuse(ErrorCode::kIllegalOperation,
                  fmt::format("{} is a container of another API; rename it there or copy its "
                              "documents",
                              from.ToString()));
  }
  if (FindView(to).has_value()) {
    return Refuse(ErrorCode::kNamespaceExists,
                  fmt::format("a view already exists with that name: {}", to.ToString()));
  }
  if (const CollectionPtr target = Find(to); target != nullptr) {
    if (!drops_target) return Refuse(ErrorCode::kNamespaceExists, "target namespace exists");
    if (!IsOwnForm(target->form)) {
      return Refuse(ErrorCode::kIllegalOperation,
                    fmt::format("{} is a container of another API; drop it there", to.ToString()));
    }
  }
  MONGO_TRY(MakeDatabase(to.database));
  auto renamed = gateway_.catalog().RenameContainer(from.database, from.collection, to.database,
                                                    to.collection, drops_target);
  if (renamed.has_value()) return Read(*renamed);
  switch (renamed.error().code()) {
    case Code::kNotFound:
      return Refuse(ErrorCode::kNamespaceNotFound,
                    fmt::format("Source collection {} does not exist", from.ToString()));
    case Code::kAlreadyExists:
      return Refuse(ErrorCode::kNamespaceExists, "target namespace exists");
    case Code::kUnsupported:
      return Refuse(ErrorCode::kIllegalOperation, renamed.error().message());
    default:
      return Refuse(renamed.error());
  }
}

Answer<CollectionPtr> CollectionCatalog::Update(const Collection& collection,
                                                const gateway::ContainerSettings& settings,
                                                std::optional<model::Document> note) {
  auto updated = gateway_.catalog().UpdateContainer(collection.name.database, settings,
                                                    collection.container.get(), std::move(note));
  if (updated.has_value()) return Read(*updated);
  if (updated.error().code() == Code::kPreconditionFailed) {
    return Refuse(ErrorCode::kConflictingOperationInProgress,
                  fmt::format("collection {} is being changed by another operation: {}",
                              collection.name.ToString(), updated.error().message()));
  }
  return Refuse(updated.error());
}

Answer<CollectionPtr> CollectionCatalog::SetIndexes(const Collection& collection,
                                                    const std::vector<IndexSpec>& indexes) {
  MONGO_ASSIGN(const gateway::ContainerSettings settings, WithIndexes(collection, indexes));
  auto updated = Update(collection, settings);
  if (!updated.has_value()) {
    gateway_.catalog().WaitForIndexes(*collection.container);
    return updated;
  }
  if (auto failure = gateway_.catalog().WaitForIndexes(*(*updated)->container)) {
    MongoError error = failure->error.code() == Code::kAlreadyExists
                           ? DuplicateKey(collection.name, indexes, failure->conflict)
                           : IndexRefusal(failure->error);
    return std::unexpected(std::move(error).Prefixed(fmt::format(
        "Index build failed: {}: Collection {} ( {} ) :: caused by :: ", UuidText(NewUuid()),
        collection.name.ToString(), UuidText(collection.uuid))));
  }
  CollectionPtr built = Find(collection.name);
  if (built == nullptr) return updated;
  return NeedsNotes(*built) ? TellOfIndexes(collection, built) : built;
}

CollectionPtr CollectionCatalog::TellOfIndexes(const Collection& former, CollectionPtr built) {
  for (std::optional<model::Document> note :
       {NoteOfIndexes("createIndexes", built->indexes, former.indexes),
        NoteOfIndexes("dropIndexes", former.indexes, built->indexes),
        NoteOfIndexChange(former, built->indexes)}) {
    if (!note.has_value()) continue;
    auto told = gateway_.catalog().UpdateContainer(built->name.database, built->settings(),
                                                   built->container.get(), std::move(note));
    if (told.has_value()) built = Read(*told);
  }
  return built;
}

Answer<CollectionPtr> CollectionCatalog::SetOptions(const Collection& collection,
                                                    model::Document options) {
  model::Document note = NoteOfOptions(collection, options);
  gateway::ContainerSettings settings = WithOptions(collection, options);
  if (WantsImages(options))
    settings.feed_retention_minutes = std::max(settings.feed_retention_minutes, kHistoryMinutes);
  return Update(collection, settings, std::move(note));
}

Outcome CollectionCatalog::CreateView(const View& view) {
  MONGO_TRY(CheckNewCollectionName(view.name));
  MONGO_TRY(MakeDatabase(view.name.database));
  if (FindView(view.name).has_value() || Find(view.name) != nullptr) {
    return Refuse(ErrorCode::kNamespaceExists,
                  fmt::format("Collection {} already exists.", view.name.ToString()));
  }
  MONGO_TRY(CheckViewsBelow(view));
  std::vector<View> views = ListViews(view.name.database);
  views.push_back(view);
  return SetViews(view.name.database, views);
}

Outcome CollectionCatalog::ChangeView(const View& view) {
  MONGO_TRY(CheckViewsBelow(view));
  std::vector<View> views = ListViews(view.name.database);
  const auto found = std::ranges::find(views, view.name, &View::name);
  if (found == views.end()) return Refuse(ErrorCode::kNamespaceNotFound, "ns does not exist");
  *found = view;
  return SetViews(view.name.database, views);
}

Outcome CollectionCatalog::CheckViewsBelow(const View& view) const {
  std::string chain = view.name.ToString();
  Namespace below{view.name.database, view.on};
  for (int depth = 0; depth < kViewsMax; ++depth) {
    chain += " => " + below.ToString();
    if (below == view.name) {
      return Refuse(ErrorCode::kGraphContainsCycle, fmt::format("View cycle detected: {}", chain));
    }
    const auto next = FindView(below);
    if (!next.has_value()) return {};
    MONGO_ASSIGN(const bool is_same, AreSameCollation(view.collation(), next->collation()));
    if (!is_same) {
      return Refuse(ErrorCode::kOptionNotSupportedOnView,
                    fmt::format("View {} has conflicting collation with view {}",
                                view.name.ToString(), below.ToString()));
    }
    below.collection = next->on;
  }
  return Refuse(165, fmt::format("View depth too deep or view cycle detected; maximum depth is {}",
                                 kViewsMax));
}

Outcome CollectionCatalog::SetViews(std::string_view database, const std::vector<View>& views) {
  for (int i = 0; i < kChangesMax; ++i) {
    const auto entry = gateway_.catalog().FindDatabase(database);
    if (!entry.has_value()) return Refuse(entry.error());
    const auto updated =
        gateway_.catalog().UpdateDatabase(database, WithViews(entry->extra, views), &*entry);
    if (updated.has_value()) return {};
    if (updated.error().code() != Code::kPreconditionFailed) return Refuse(updated.error());
  }
  return Refuse(ErrorCode::kWriteConflict, "the database is being changed by others");
}

}  // namespace orrery::mongo
