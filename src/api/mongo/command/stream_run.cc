#include "api/mongo/command/stream_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "api/mongo/command/access/demands.h"
#include "api/mongo/command/fields.h"
#include "api/mongo/executor/stream/change_rows.h"
#include "api/mongo/executor/stream/change_stream.h"
#include "api/mongo/language/pipeline/pipeline.h"
#include "api/mongo/language/value/print.h"
#include "base/cluster_clock.h"

namespace orrery::mongo {
namespace {

constexpr std::string_view kStage = "$changeStream";
constexpr std::string_view kWholeDatabase = "$cmd.aggregate";
constexpr std::array<std::string_view, 9> kAllowedStages = {
    "$match",       "$project",     "$addFields", "$set",         "$unset",
    "$replaceRoot", "$replaceWith", "$redact",    "$changeStream"};

struct StreamArguments {
  StreamScope scope;
  EventOptions options;
  std::optional<ResumeToken> after;
  std::string after_text;
  std::optional<uint64_t> at;
};

// The refusals of the arguments of a stage, in the words of MongoDB's parser.
std::unexpected<MongoError> WrongStageField(const model::ElementView& field,
                                            std::string_view expected) {
  return Refuse(ErrorCode::kTypeMismatch,
                fmt::format("BSON field '$changeStream.{}' is the wrong type '{}', expected type "
                            "'{}'",
                            field.name(), TypeNameOf(field), expected));
}

template <typename Choice, size_t N>
Answer<Choice> ReadChoice(const model::ElementView& field,
                          const std::array<std::pair<std::string_view, Choice>, N>& choices) {
  if (field.kind() != model::Kind::kString) return WrongStageField(field, "string");
  for (const auto& [name, choice] : choices) {
    if (field.AsString() == name) return choice;
  }
  return Refuse(ErrorCode::kBadValue,
                fmt::format("Enumeration value '{}' for field '$changeStream.{}' is not a valid "
                            "value.",
                            field.AsString(), field.name()));
}

Answer<bool> ReadFlag(const model::ElementView& field) {
  if (field.kind() == model::Kind::kBool) return field.AsBool();
  return Refuse(ErrorCode::kTypeMismatch,
                fmt::format("Field '{}' should be a boolean value, but found: {}", field.name(),
                            TypeNameOf(field)));
}

Outcome ReadStreamField(const model::ElementView& field, StreamArguments& arguments,
                        std::optional<ResumeToken>& resume, std::optional<ResumeToken>& start,
                        bool& is_deployment) {
  static constexpr std::array<std::pair<std::string_view, FullDocument>, 4> kFull = {
      {{"default", FullDocument::kDefault},
       {"updateLookup", FullDocument::kUpdateLookup},
       {"whenAvailable", FullDocument::kWhenAvailable},
       {"required", FullDocument::kRequired}}};
  static constexpr std::array<std::pair<std::string_view, FullDocumentBefore>, 3> kBefore = {
      {{"off", FullDocumentBefore::kOff},
       {"whenAvailable", FullDocumentBefore::kWhenAvailable},
       {"required", FullDocumentBefore::kRequired}}};
  const std::string_view name = field.name();
  if (name == "fullDocument") {
    MONGO_ASSIGN(arguments.options.full_document, ReadChoice(field, kFull));
  } else if (name == "fullDocumentBeforeChange") {
    MONGO_ASSIGN(arguments.options.before, ReadChoice(field, kBefore));
  } else if (name == "resumeAfter" || name == "startAfter") {
    if (field.kind() == model::Kind::kNull) return {};
    if (field.kind() != model::Kind::kObject) return WrongStageField(field, "object");
    MONGO_ASSIGN(ResumeToken token, ResumeToken::Read(field.AsDocument()));
    (name == "resumeAfter" ? resume : start) = std::move(token);
  } else if (name == "startAtOperationTime") {
    if (field.kind() == model::Kind::kNull) return {};
    if (field.kind() != model::Kind::kTimestamp) return WrongStageField(field, "timestamp");
    const model::BsonTimestamp at = field.ToValue().AsTimestamp();
    arguments.at = uint64_t{at.seconds} << 32 | at.increment;
  } else if (name == "showExpandedEvents") {
    MONGO_ASSIGN(arguments.options.shows_expanded, ReadFlag(field));
  } else if (name == "allChangesForCluster") {
    MONGO_ASSIGN(is_deployment, ReadFlag(field));
  } else if (name == "showMigrationEvents" || name == "showSystemEvents" ||
             name == "showRawUpdateDescription") {
    MONGO_TRY(ReadFlag(field));
  } else {
    return Refuse(40415, fmt::format("BSON field '$changeStream.{}' is an unknown field.", name));
  }
  return {};
}

Outcome CheckScope(const Namespace& name, bool is_deployment, StreamScope& scope) {
  const bool has_collection = name.collection != kWholeDatabase;
  scope.name = {name.database, has_collection ? name.collection : ""};
  if (is_deployment) {
    if (name.database != "admin" || has_collection) {
      return Refuse(ErrorCode::kInvalidOptions,
                    fmt::format("A $changeStream with 'allChangesForCluster:true' may only be "
                                "opened on the 'admin' database, and with no collection name; "
                                "found {}",
                                name.ToString()));
    }
    scope.kind = StreamScope::Kind::kDeployment;
    return {};
  }
  scope.kind = has_collection ? StreamScope::Kind::kCollection : StreamScope::Kind::kDatabase;
  if (IsInternalDatabase(name.database)) {
    return Refuse(
        ErrorCode::kInvalidNamespace,
        fmt::format("$changeStream may not be opened on the internal {} database", name.database));
  }
  if (has_collection && name.collection.starts_with("system.")) {
    return Refuse(ErrorCode::kInvalidNamespace,
                  fmt::format("$changeStream may not be opened on the internal {} collection",
                              name.ToString()));
  }
  return {};
}

Answer<StreamArguments> ReadStream(const Namespace& name, const model::Document& stage) {
  const model::ElementView operand = *stage.view().begin();
  if (operand.kind() != model::Kind::kObject) {
    return Refuse(6188500, fmt::format("$changeStream must take a nested object but found: {}",
                                       PrintElement(kStage, operand.ToValue())));
  }
  StreamArguments arguments;
  std::optional<ResumeToken> resume;
  std::optional<ResumeToken> start;
  bool is_deployment = false;
  for (const model::ElementView field : operand.AsDocument())
    MONGO_TRY(ReadStreamField(field, arguments, resume, start, is_deployment));
  MONGO_TRY(CheckScope(name, is_deployment, arguments.scope));
  if (resume.has_value() && start.has_value()) {
    return Refuse(50865,
                  "Do not specify both 'resumeAfter' and 'startAfter' in a $changeStream stage");
  }
  if ((resume.has_value() || start.has_value()) && arguments.at.has_value()) {
    return Refuse(40674, "Only one type of resume option is allowed, but multiple were found");
  }
  if (resume.has_value() && resume->is_invalidate) {
    return Refuse(ErrorCode::kInvalidResumeToken,
                  "Attempting to resume a change stream using 'resumeAfter' is not allowed from an "
                  "invalidate notification.");
  }
  arguments.after = resume.has_value() ? std::move(resume) : std::move(start);
  return arguments;
}

Outcome CheckStreamStages(const std::vector<model::Document>& pipeline) {
  for (size_t i = 1; i < pipeline.size(); ++i) {
    if (pipeline[i].view().empty()) continue;
    const std::string_view name = (*pipeline[i].view().begin()).name();
    if (name == kStage) {
      return Refuse(40602,
                    "$_internalChangeStreamOplogMatch is only valid as the first stage in a "
                    "pipeline");
    }
    if (!Pipeline::IsStageName(name) ||
        std::ranges::find(kAllowedStages, name) != kAllowedStages.end())
      continue;
    return Refuse(ErrorCode::kIllegalOperation,
                  fmt::format("{} is not permitted in a $changeStream pipeline", name));
  }
  return {};
}

// A user who watches more than a collection must be allowed to read all of it, also what comes
// later.
Outcome CheckMayWatch(const CommandContext& context, const StreamScope& scope) {
  static constexpr std::string_view kEvery = "$every";  // is the name of none
  Namespace read = scope.name;
  if (scope.kind == StreamScope::Kind::kDeployment) read.database = kEvery;
  if (read.collection.empty()) read.collection = kEvery;
  return CheckMayRead(context.services, *context.client, read);
}

// A stream that says nothing else begins now, when everything in scope is kept.
StreamStart StartOf(const StreamArguments& arguments, ClusterClock& times) {
  if (arguments.after.has_value()) {
    const ResumeToken& token = *arguments.after;
    return {.after = token.Encode(),
            .time = TimeOfTimestamp(token.timestamp),
            .must_be_there = token.is_event && !token.is_invalidate};
  }
  if (arguments.at.has_value()) {
    return {.after = ResumeToken{.timestamp = *arguments.at}.Encode(),
            .time = TimeOfTimestamp(*arguments.at)};
  }
  const Micros now = times.Next();
  return {.after = ResumeToken::HighWater(now).Encode(), .time = now};
}

}  // namespace

bool IsChangeStream(const std::vector<model::Document>& pipeline) {
  return std::ranges::any_of(pipeline, [](const model::Document& stage) {
    return !stage.view().empty() && (*stage.view().begin()).name() == kStage;
  });
}

CommandReply RunChangeStream(CommandContext& context, AggregateArguments arguments) {
  MONGO_TRY(context.services.collections.RefuseView(arguments.name));
  const model::DocumentView first = arguments.pipeline.front();
  if (first.empty() || (*first.begin()).name() != kStage) {
    return Refuse(
        40602, "$_internalChangeStreamOplogMatch is only valid as the first stage in a pipeline");
  }
  MONGO_ASSIGN(const StreamArguments stream,
               ReadStream(arguments.name, arguments.pipeline.front()));
  MONGO_TRY(CheckStreamStages(arguments.pipeline));
  MONGO_TRY(CheckMayWatch(context, stream.scope));
  if (const auto concern = context.body().Find("readConcern");
      concern.has_value() && concern->kind() == model::Kind::kObject) {
    const auto level = concern->AsDocument().Find("level");
    if (level.has_value() && level->kind() == model::Kind::kString &&
        level->AsString() != "majority") {
      return Refuse(
          ErrorCode::kInvalidOptions,
          fmt::format("Command aggregate does not support {{ readConcern: {{ level: \"{0}\", "
                      "provenance: \"clientSupplied\" }} }} :: caused by :: Aggregation stage "
                      "$changeStream cannot run with a readConcern other than 'majority'. Current "
                      "readConcern: {0}",
                      level->AsString()));
    }
  }
  PipelinePtr pipeline;
  if (arguments.pipeline.size() > 1) {
    const std::vector<model::Document> rest(arguments.pipeline.begin() + 1,
                                            arguments.pipeline.end());
    MONGO_ASSIGN(pipeline, Pipeline::Parse(rest, arguments.query));
  }
  gateway::Gateway& gateway = context.services.gateway;
  MONGO_TRY(Watch(gateway, stream.scope));
  auto state = std::make_shared<RunState>();
  auto rows = std::make_shared<ChangeRows>(
      std::make_unique<ChangeStream>(gateway, stream.scope, stream.options,
                                     StartOf(stream, gateway.times()), state),
      std::move(pipeline));
  auto source = std::make_unique<ChangeRowSource>(rows);
  return FirstBatch(context,
                    std::make_unique<CursorRun>(arguments.name.ToString(), std::move(source), state,
                                                nullptr, std::move(rows)),
                    arguments.batch);
}

}  // namespace orrery::mongo
