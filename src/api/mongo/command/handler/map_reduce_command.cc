// mapReduce.
#include <fmt/format.h>

#include <map>
#include <utility>

#include "api/mongo/command/aggregate_run.h"
#include "api/mongo/command/command_table.h"
#include "api/mongo/command/fields.h"
#include "api/mongo/command/query_arguments.h"
#include "api/mongo/executor/read/find.h"
#include "api/mongo/language/pipeline/stage.h"
#include "api/mongo/language/update/update.h"
#include "model/document/document_builder.h"
#include "model/value_size.h"

namespace orrery::mongo {
namespace {

using model::Kind;
using model::Value;

// A MapReduceOut says where the results go.
struct MapReduceOut {
  enum class Mode : uint8_t { kInline, kReplace, kMerge, kReduce };
  Mode mode = Mode::kInline;
  std::string database;  // empty: that of the command
  std::string collection;
};

struct MapReduceArguments {
  std::string map;
  std::string reduce;
  std::string finalize;  // empty: none
  Value scope = Value::Object({});
  MapReduceOut out;
  FindRequest find;
  bool validates = true;
};

Answer<std::string> FunctionOf(const Fields& fields, std::string_view name, bool required) {
  const auto found = fields.document().Find(name);
  if (!found.has_value() || found->kind() == Kind::kNull) {
    if (!required) return std::string();
    return Refuse(40414,
                  fmt::format("BSON field 'mapReduce.{}' is missing but a required field", name));
  }
  const Value value = found->ToValue();
  if (value.kind() == Kind::kString || value.kind() == Kind::kJavaScript) return value.AsString();
  if (value.kind() == Kind::kJavaScriptWithScope) return std::string(value.AsScopedCode().code);
  return Refuse(ErrorCode::kBadValue, fmt::format("'{}' must be of string or code type", name));
}

Answer<MapReduceOut> OutOf(model::DocumentView body) {
  const auto found = body.Find("out");
  if (!found.has_value())
    return Refuse(40414, "BSON field 'mapReduce.out' is missing but a required field");
  MapReduceOut out;
  if (found->kind() == Kind::kString) {
    out.mode = MapReduceOut::Mode::kReplace;
    out.collection = found->AsString();
    return out;
  }
  if (found->kind() != Kind::kObject)
    return Refuse(ErrorCode::kBadValue, "'out' must be either a string or an object");
  bool has_mode = false;
  for (const model::ElementView field : found->AsDocument()) {
    const std::string_view name = field.name();
    if (name == "inline") {
      has_mode = true;
    } else if (name == "replace" || name == "merge" || name == "reduce") {
      if (field.kind() != Kind::kString)
        return Refuse(ErrorCode::kBadValue,
                      fmt::format("'{}' field of 'out' must be a string", name));
      has_mode = true;
      out.mode = name == "replace" ? MapReduceOut::Mode::kReplace
                 : name == "merge" ? MapReduceOut::Mode::kMerge
                                   : MapReduceOut::Mode::kReduce;
      out.collection = field.AsString();
    } else if (name == "db") {
      if (field.kind() != Kind::kString)
        return Refuse(ErrorCode::kBadValue, "'db' field of 'out' must be a string");
      out.database = field.AsString();
    } else if (name == "nonAtomic") {
      if (!AsFlag(field).value_or(true))
        return Refuse(15895, "nonAtomic: false is not allowed in this context");
    } else if (name != "sharded") {
      has_mode = false;
      break;
    }
  }
  if (!has_mode)
    return Refuse(ErrorCode::kBadValue, "'out' requires 'replace', 'merge' or 'reduce'");
  return out;
}

Answer<MapReduceArguments> ReadMapReduce(const CommandContext& context, const Namespace& name) {
  const Fields fields(context.body(), "mapReduce");
  MONGO_TRY(
      fields.CheckKnown({"map", "reduce", "finalize", "out", "query", "sort", "limit", "scope",
                         "jsMode", "verbose", "bypassDocumentValidation", "collation", "let"}));
  MapReduceArguments arguments;
  MONGO_ASSIGN(arguments.map, FunctionOf(fields, "map", true));
  MONGO_ASSIGN(arguments.reduce, FunctionOf(fields, "reduce", true));
  MONGO_ASSIGN(arguments.finalize, FunctionOf(fields, "finalize", false));
  MONGO_ASSIGN(arguments.out, OutOf(context.body()));
  MONGO_ASSIGN(const auto scope, fields.Object("scope"));
  if (scope.has_value()) arguments.scope = scope->ToObject();
  MONGO_ASSIGN(const bool bypasses, fields.Flag("bypassDocumentValidation"));
  arguments.validates = !bypasses;
  FindRequest& find = arguments.find;
  find.collection = context.services.collections.Find(name);
  MONGO_ASSIGN(find.context, ContextOf(context, fields, find.collection.get()));
  MONGO_ASSIGN(const auto filter, fields.Object("query"));
  MONGO_ASSIGN(find.filter, FilterOf(filter, find.context));
  MONGO_ASSIGN(const auto sort, fields.Object("sort"));
  if (sort.has_value() && !sort->empty()) {
    MONGO_ASSIGN(find.sort, SortPattern::Parse(*sort));
  }
  MONGO_ASSIGN(const std::optional<int64_t> limit, fields.Count("limit"));
  if (limit.value_or(0) > 0) find.limit = static_cast<uint64_t>(*limit);
  return arguments;
}

// A MapReduce is one run of the command: documents to emitted values, these to one for each key.
class MapReduce {
 public:
  MapReduce(const MapReduceArguments& arguments, std::shared_ptr<ScriptCalls> scripts)
      : arguments_(arguments),
        scripts_(std::move(scripts)),
        memory_("mapReduce", *arguments.find.context),
        groups_(Less{arguments.find.context->collator.get()}) {}

  Outcome Take(RowSource& rows) {
    std::vector<model::Document> batch;
    size_t bytes = 0;
    while (true) {
      MONGO_ASSIGN(std::optional<Row> row, rows.Next());
      const bool is_end = !row.has_value();
      if (!is_end) {
        bytes += row->document.bson().size();
        batch.push_back(std::move(row->document));
      }
      if (!batch.empty() && (is_end || batch.size() >= kBatchMax || bytes >= kBatchBytesMax)) {
        MONGO_TRY(Map(batch));
        batch.clear();
        bytes = 0;
      }
      if (is_end) return {};
    }
  }

  // {_id: key, value} for each key, in their order.
  Answer<std::vector<model::Document>> Results() {
    std::vector<model::Document> results;
    for (auto& [key, values] : groups_) {
      MONGO_ASSIGN(Value value, Reduce(key, std::move(values)));
      MONGO_ASSIGN(value, Finalize(key, std::move(value)));
      results.push_back(ResultOf(key, value));
    }
    return results;
  }

  // The result for a key that the target has a value of already.
  Answer<model::Document> Join(const Value& key, const Value& former, const Value& result) {
    MONGO_ASSIGN(Value value, Reduce(key, {former, result}));
    MONGO_ASSIGN(value, Finalize(key, std::move(value)));
    return ResultOf(key, value);
  }

 private:
  static constexpr size_t kBatchMax = 256;
  static constexpr size_t kBatchBytesMax = size_t{1} << 20;
  // Values of one key that are kept before they are reduced.
  static constexpr size_t kValuesMax = 1'000;

  struct Less {
    const Collator* collator;
    bool operator()(const Value& a, const Value& b) const {
      return CompareValues(a, b, collator) < 0;
    }
  };

  static model::Document ResultOf(const Value& key, const Value& value) {
    model::DocumentBuilder result;
    result.Append("_id", key).Append("value", value);
    return std::move(result).Finish();
  }

  Outcome Map(const std::vector<model::Document>& documents) {
    MONGO_ASSIGN(ScriptCalls::Emitted emitted,
                 scripts_->Map(arguments_.map, documents, arguments_.scope));
    for (auto& [key, value] : emitted) {
      MONGO_TRY(memory_.Add(model::ApproximateBytes(value) + 64));
      model::Values& values = groups_[key];
      values.push_back(std::move(value));
      if (values.size() < kValuesMax) continue;
      MONGO_ASSIGN(Value reduced, Reduce(key, std::move(values)));
      values = {std::move(reduced)};
    }
    return {};
  }

  Answer<Value> Reduce(const Value& key, model::Values values) {
    const Value arguments[] = {key, Value::Array(std::move(values))};
    MONGO_ASSIGN(Value value, scripts_->CallIn(arguments_.scope, arguments_.reduce, arguments));
    return value.is_undefined() ? Value::Null() : std::move(value);
  }

  Answer<Value> Finalize(const Value& key, Value value) {
    if (arguments_.finalize.empty()) return value;
    const Value arguments[] = {key, std::move(value)};
    MONGO_ASSIGN(Value done, scripts_->CallIn(arguments_.scope, arguments_.finalize, arguments));
    return done.is_undefined() ? Value::Null() : std::move(done);
  }

  const MapReduceArguments& arguments_;
  const std::shared_ptr<ScriptCalls> scripts_;
  StageMemory memory_;
  std::map<Value, model::Values, Less> groups_;
};

Outcome ReplaceTarget(AggregateAccess& access, const CollectionName& name,
                      std::vector<model::Document> results) {
  MONGO_ASSIGN(const std::unique_ptr<OutTarget> target, access.OpenOut(name));
  for (model::Document& result : results) MONGO_TRY(target->Add(std::move(result)));
  return target->Finish();
}

Answer<std::optional<Row>> FormerResult(AggregateAccess& access, const CollectionName& name,
                                        const model::Document& filter,
                                        const QueryContextPtr& context) {
  MONGO_ASSIGN(MatcherPtr matcher, Matcher::Parse(filter, context));
  MONGO_ASSIGN(const std::unique_ptr<RowSource> rows, access.Read(name, std::move(matcher)));
  return rows->Next();
}

Outcome MergeIntoTarget(AggregateAccess& access, const CollectionName& name, MapReduce& run,
                        const MapReduceArguments& arguments, std::vector<model::Document> results) {
  const QueryContextPtr& context = arguments.find.context;
  for (model::Document& result : results) {
    const Value key = result.view().Get("_id");
    model::DocumentBuilder filter;
    filter.OpenObject("_id").Append("$eq", key).Close();
    MergeWrite write;
    write.filter = std::move(filter).Finish();
    write.is_upsert = true;
    if (arguments.out.mode == MapReduceOut::Mode::kReduce) {
      MONGO_ASSIGN(const std::optional<Row> former,
                   FormerResult(access, name, write.filter, context));
      if (former.has_value()) {
        MONGO_ASSIGN(result, run.Join(key, former->document.view().Get("value"),
                                      result.view().Get("value")));
      }
    }
    write.update_source = result.view().ToObject();
    MONGO_ASSIGN(write.update, Update::Parse(write.update_source, {}, context));
    write.document = std::move(result);
    MONGO_TRY(access.Merge(name, std::move(write)));
  }
  return {};
}

Answer<model::DocumentBuilder> RunMapReduce(CommandContext& context, const Namespace& name,
                                            const MapReduceArguments& arguments,
                                            const std::shared_ptr<ScriptCalls>& scripts,
                                            const std::shared_ptr<RunState>& state) {
  MapReduce run(arguments, scripts);
  if (arguments.find.collection != nullptr) {
    const std::unique_ptr<RowSource> rows =
        OpenFind(context.services.gateway, arguments.find, state);
    MONGO_TRY(run.Take(*rows));
  }
  MONGO_ASSIGN(std::vector<model::Document> results, run.Results());
  model::DocumentBuilder reply;
  const MapReduceOut& out = arguments.out;
  if (out.mode == MapReduceOut::Mode::kInline) {
    reply.OpenArray("results");
    size_t bytes = 0;
    for (size_t i = 0; i < results.size(); ++i) {
      bytes += results[i].bson().size();
      if (bytes > kDocumentBytesMax)
        return Refuse(ErrorCode::kBsonObjectTooLarge, "too much data for in memory map/reduce");
      reply.AppendDocument(std::to_string(i), results[i]);
    }
    reply.Close();
    return reply;
  }
  const CollectionName target{out.database.empty() ? context.database() : out.database,
                              out.collection};
  const auto access = MakeAggregateAccess(context, name, arguments.validates, state);
  if (out.mode == MapReduceOut::Mode::kReplace) {
    MONGO_TRY(ReplaceTarget(*access, target, std::move(results)));
  } else {
    MONGO_TRY(MergeIntoTarget(*access, target, run, arguments, std::move(results)));
  }
  if (out.database.empty()) {
    reply.AppendString("result", out.collection);
  } else {
    reply.OpenObject("result").AppendString("db", out.database);
    reply.AppendString("collection", out.collection).Close();
  }
  return reply;
}

CommandReply MapReduceCommand(CommandContext& context) {
  MONGO_ASSIGN(const Namespace name, context.command.CollectionOf());
  MONGO_ASSIGN(const MapReduceArguments arguments, ReadMapReduce(context, name));
  if (context.services.collections.FindView(name).has_value())
    return Refuse(ErrorCode::kCommandNotSupportedOnView, "mapReduce on a view is not supported");
  const std::shared_ptr<ScriptCalls> scripts = ScriptsOf(context);
  if (scripts == nullptr)
    return Refuse(31264, "Cannot run server-side javascript without the javascript engine enabled");
  auto state = std::make_shared<RunState>();
  Attach(*state, context);
  auto reply = RunMapReduce(context, name, arguments, scripts, state);
  context.charge += state->charge;
  if (reply.has_value()) return reply;
  return std::unexpected(
      std::move(reply).error().Prefixed("MapReduce internal error :: caused by :: "));
}

}  // namespace

std::vector<CommandEntry> MapReduceCommands() {
  return {{.name = "mapReduce", .action = Action::kRead, .handler = MapReduceCommand},
          {.name = "mapreduce", .action = Action::kRead, .handler = MapReduceCommand}};
}

}  // namespace orrery::mongo
