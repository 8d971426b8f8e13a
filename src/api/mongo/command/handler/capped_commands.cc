// convertToCapped and cloneCollectionAsCapped.
#include <fmt/format.h>

#include "api/mongo/catalog/capped_form.h"
#include "api/mongo/command/command_table.h"
#include "api/mongo/command/fields.h"
#include "api/mongo/command/write_reply.h"
#include "api/mongo/executor/aggregate/out_writer.h"
#include "api/mongo/executor/read/collection_scan.h"

namespace orrery::mongo {
namespace {

struct CopySize {
  int64_t documents = 0;
  int64_t bytes = 0;
  bool operator==(const CopySize&) const = default;
};

// The size of `source` as its documents are read, in natural order; `give` may be null.
Answer<CopySize> ReadAll(const CommandContext& context, const CollectionPtr& source,
                         const std::shared_ptr<RunState>& state,
                         const std::function<Outcome(model::Document)>& give) {
  CollectionScan scan(context.services.gateway,
                      {.collection = source, .filter = nullptr, .rows_wanted = SIZE_MAX}, state);
  CopySize size;
  while (true) {
    MONGO_ASSIGN(std::optional<Row> row, scan.Next());
    if (!row.has_value()) return size;
    ++size.documents;
    size.bytes += static_cast<int64_t>(row->document.bson().size());
    if (give) MONGO_TRY(give(std::move(row->document)));
  }
}

// Gives `target` the newest documents of `source`, in the place of what it has.
Outcome CopyCapped(CommandContext& context, const CollectionPtr& source, const Namespace& target,
                   int64_t bytes_max) {
  auto state = std::make_shared<RunState>();
  Attach(*state, context);
  const MongoServices& services = context.services;
  model::DocumentBuilder options;
  options.AppendBool("capped", true);
  AppendCount(options, "size", RoundedCappedSize(bytes_max));
  MONGO_ASSIGN(const CopySize all, ReadAll(context, source, state, nullptr));
  MONGO_ASSIGN(const std::unique_ptr<OutTarget> copy,
               OutWriter::OpenWith(
                   {.gateway = services.gateway,
                    .collections = services.collections,
                    .new_id = [&services] { return model::Value::ObjectId(NewObjectId(services)); },
                    .validates = false},
                   target, std::move(options).Finish(), state));
  // Those that would make room again need not be written.
  int64_t ahead = all.bytes;
  MONGO_ASSIGN(const CopySize copied,
               ReadAll(context, source, state, [&](model::Document document) -> Outcome {
                 const bool fits = ahead <= RoundedCappedSize(bytes_max);
                 ahead -= static_cast<int64_t>(document.bson().size());
                 return fits || ahead <= 0 ? copy->Add(std::move(document)) : Outcome();
               }));
  if (copied != all) {
    return Refuse(ErrorCode::kConflictingOperationInProgress,
                  fmt::format("collection {} was written to while it was copied; try again",
                              source->name.ToString()));
  }
  Outcome finished = copy->Finish();
  TakeCost(*state, context);
  return finished;
}

Answer<int64_t> ReadSize(const CommandContext& context) {
  const auto size = context.body().Find("size");
  if (!size.has_value() || !size->ToValue().is_number())
    return Refuse(ErrorCode::kBadValue, "invalid command spec");
  const int64_t bytes = AsWhole(*size).value_or(0);
  if (bytes < 0) return Refuse(ErrorCode::kBadValue, "size has to be >= 0");
  return bytes;
}

Answer<CollectionPtr> ReadSource(const CommandContext& context, const Namespace& name) {
  MONGO_TRY(context.services.collections.RefuseView(name));
  CollectionPtr source = context.services.collections.Find(name);
  if (source == nullptr) {
    return Refuse(ErrorCode::kNamespaceNotFound,
                  fmt::format("source collection {} does not exist", name.ToString()));
  }
  if (source->is_sharded() || !IsOwnForm(source->form)) {
    return Refuse(
        ErrorCode::kIllegalOperation,
        fmt::format("{} cannot be capped: it is sharded or of another API", name.ToString()));
  }
  return source;
}

CommandReply ConvertToCapped(CommandContext& context) {
  MONGO_ASSIGN(const Namespace name, context.command.CollectionOf());
  MONGO_ASSIGN(const int64_t size, ReadSize(context));
  MONGO_ASSIGN(const CollectionPtr source, ReadSource(context, name));
  MONGO_TRY(CopyCapped(context, source, name, size));
  return model::DocumentBuilder();
}

CommandReply CloneCollectionAsCapped(CommandContext& context) {
  const Fields fields(context.body(), "cloneCollectionAsCapped");
  MONGO_ASSIGN(const Namespace name, context.command.CollectionOf());
  MONGO_ASSIGN(const std::string to, fields.RequiredText("toCollection"));
  MONGO_ASSIGN(const int64_t size, ReadSize(context));
  const Namespace target{name.database, to};
  MONGO_TRY(CheckNewCollectionName(target));
  MONGO_ASSIGN(const CollectionPtr source, ReadSource(context, name));
  const CollectionCatalog& collections = context.services.collections;
  if (collections.Find(target) != nullptr || collections.FindView(target).has_value()) {
    return Refuse(ErrorCode::kNamespaceExists,
                  fmt::format("cloneCollectionAsCapped failed - destination collection {} already "
                              "exists. source collection: {}",
                              target.ToString(), name.ToString()));
  }
  MONGO_TRY(CopyCapped(context, source, target, size));
  return model::DocumentBuilder();
}

}  // namespace

std::vector<CommandEntry> CappedCommands() {
  return {{.name = "convertToCapped", .action = Action::kWrite, .handler = ConvertToCapped},
          {.name = "cloneCollectionAsCapped",
           .action = Action::kWrite,
           .handler = CloneCollectionAsCapped}};
}

}  // namespace orrery::mongo
