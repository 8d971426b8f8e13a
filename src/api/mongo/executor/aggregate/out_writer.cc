#include "api/mongo/executor/aggregate/out_writer.h"

#include <fmt/format.h>

#include <charconv>
#include <string>
#include <string_view>
#include <utility>

#include "api/mongo/executor/write/collection_writer.h"

namespace orrery::mongo {
namespace {

constexpr std::string_view kOutPrefix = "tmp.agg_out.";
constexpr int64_t kAbandonedAfterSeconds = 24 * 3600;

// "tmp.agg_out." and the hexadecimal digits of an ObjectId, which begins with the time.
std::string NameForOut(const model::Value& id) {
  std::string name(kOutPrefix);
  for (const uint8_t byte : id.AsObjectId()) name += fmt::format("{:02x}", byte);
  return name;
}

Outcome CheckOutName(const Namespace& target) {
  if (target.collection.empty()) {
    return Refuse(ErrorCode::kInvalidNamespace,
                  fmt::format("Invalid $out target namespace, {}", target.ToString()));
  }
  if (target.collection.starts_with("system.")) {
    return Refuse(17385, fmt::format("Can't $out to special collection: {}", target.collection));
  }
  if (target.database == "config" || target.database == "local" || target.database == "admin") {
    return Refuse(31321, fmt::format("Can't $out to internal database: {}", target.database));
  }
  Outcome named = CheckNewCollectionName(target);
  if (!named.has_value()) {
    named.error().code = static_cast<int32_t>(ErrorCode::kIllegalOperation);
    named.error().message = "error with target namespace: " + named.error().message;
  }
  return named;
}

Outcome CheckOutTarget(const Namespace& name, const Collection& target) {
  const std::string text = name.ToString();
  if (target.is_sharded())
    return Refuse(28769,
                  fmt::format("namespace '{}' is sharded so it can't be used for $out", text));
  if (target.form == DocumentForm::kCapped) {
    return Refuse(17152,
                  fmt::format("namespace '{}' is capped so it can't be used for $out", text));
  }
  if (!IsOwnForm(target.form)) {
    return Refuse(ErrorCode::kIllegalOperation,
                  fmt::format("{} is a container of another API; use $merge", text));
  }
  return {};
}

}  // namespace

OutWriter::OutWriter(Parts parts, Namespace target, CollectionPtr former, CollectionPtr made,
                     std::shared_ptr<RunState> state)
    : parts_(std::move(parts)),
      target_(std::move(target)),
      former_(std::move(former)),
      made_(std::move(made)),
      state_(std::move(state)) {}

OutWriter::~OutWriter() {
  // A failure leaves it to DropAbandonedOut.
  if (!is_finished_) (void)parts_.collections.Drop(made_->name);
}

Answer<std::unique_ptr<OutTarget>> OutWriter::Open(Parts parts, const Namespace& target,
                                                   std::shared_ptr<RunState> state) {
  MONGO_TRY(CheckOutName(target));
  MONGO_TRY(parts.collections.RefuseView(target));
  CollectionPtr former = parts.collections.Find(target);
  NewCollection made{.name = {target.database, NameForOut(parts.new_id())}};
  if (former != nullptr) {
    MONGO_TRY(CheckOutTarget(target, *former));
    made.options = former->options;
    made.throughput = former->settings().throughput;
    made.indexes = former->indexes;
  }
  MONGO_ASSIGN(CollectionPtr collection, parts.collections.Create(made));
  return std::unique_ptr<OutTarget>(new OutWriter(std::move(parts), target, std::move(former),
                                                  std::move(collection), std::move(state)));
}

Answer<std::unique_ptr<OutTarget>> OutWriter::OpenWith(Parts parts, const Namespace& target,
                                                       model::Document options,
                                                       std::shared_ptr<RunState> state) {
  CollectionPtr former = parts.collections.Find(target);
  NewCollection made{.name = {target.database, NameForOut(parts.new_id())},
                     .options = std::move(options)};
  if (former != nullptr) made.throughput = former->settings().throughput;
  MONGO_ASSIGN(CollectionPtr collection, parts.collections.Create(made));
  return std::unique_ptr<OutTarget>(new OutWriter(std::move(parts), target, std::move(former),
                                                  std::move(collection), std::move(state)));
}

Outcome OutWriter::Add(model::Document document) {
  batch_bytes_ += document.bson().size();
  batch_.push_back(std::move(document));
  if (batch_.size() < kBatchMax && batch_bytes_ < kBatchBytesMax) return {};
  return Flush();
}

Outcome OutWriter::Flush() {
  if (batch_.empty()) return {};
  MONGO_TRY(state_->Check());
  CollectionWriter writer({.gateway = parts_.gateway, .new_id = parts_.new_id}, state_);
  InsertRequest request{.collection = made_, .documents = {}, .validates = parts_.validates};
  for (const model::Document& document : batch_) request.documents.push_back(document.view());
  MONGO_ASSIGN(const WriteOutcome inserted, writer.Insert(request));
  if (!inserted.failures.empty()) return std::unexpected(inserted.failures.front().error);
  batch_.clear();
  batch_bytes_ = 0;
  return {};
}

Outcome OutWriter::Finish() {
  MONGO_TRY(Flush());
  const CollectionPtr now = parts_.collections.Find(target_);
  const bool is_same = former_ == nullptr
                           ? now == nullptr
                           : now != nullptr && now->uuid == former_->uuid &&
                                 now->container->version == former_->container->version;
  if (!is_same) {
    return Refuse(ErrorCode::kCommandFailed,
                  fmt::format("collection options or indexes of target collection {} changed "
                              "during processing",
                              target_.ToString()));
  }
  MONGO_TRY(parts_.collections.Rename(made_->name, target_, true));
  is_finished_ = true;
  return {};
}

void DropAbandonedOut(CollectionCatalog& collections, int64_t now_unix_ms) {
  for (const DatabaseInfo& database : collections.ListDatabases()) {
    for (const CollectionPtr& collection : collections.ListCollections(database.name)) {
      std::string_view name = collection->name.collection;
      if (!name.starts_with(kOutPrefix)) continue;
      name.remove_prefix(kOutPrefix.size());
      uint32_t begun_seconds = 0;
      if (name.size() != 24) continue;
      const auto read = std::from_chars(name.data(), name.data() + 8, begun_seconds, 16);
      if (read.ec != std::errc() || read.ptr != name.data() + 8) continue;
      if (now_unix_ms / 1000 - begun_seconds > kAbandonedAfterSeconds)
        (void)collections.Drop(collection->name);
    }
  }
}

}  // namespace orrery::mongo
