#include "api/sql/direct/message/direct_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <utility>

#include "api/sql/request/partition_key_text.h"
#include "gateway/account/base64.h"

namespace orrery::sql::direct {
namespace {

constexpr int64_t kAnyPageSize = 0xffffffff;  // -1 as it comes in 32 bits
constexpr int64_t kConsistencyLevels = 5;     // numbered from 0
constexpr size_t kDatabaseRidBytes = 4;
constexpr size_t kContainerRidBytes = 8;  // and of users
constexpr std::string_view kPartitions = "/partitions/";

struct Operation {
  WireOperation number;
  Action action;
  std::string_view verb;
  bool feed;  // of the owner, not of one resource
};

constexpr std::array<Operation, 13> kOperations = {{
    {WireOperation::kCreate, Action::kCreate, "POST", true},
    {WireOperation::kUpsert, Action::kCreate, "POST", true},
    {WireOperation::kPatch, Action::kPatch, "PATCH", false},
    {WireOperation::kRead, Action::kRead, "GET", false},
    {WireOperation::kHead, Action::kRead, "HEAD", false},
    {WireOperation::kReadFeed, Action::kReadFeed, "GET", true},
    {WireOperation::kHeadFeed, Action::kReadFeed, "HEAD", true},
    {WireOperation::kDelete, Action::kDelete, "DELETE", false},
    {WireOperation::kReplace, Action::kReplace, "PUT", false},
    {WireOperation::kExecute, Action::kExecute, "POST", false},
    {WireOperation::kQuery, Action::kQuery, "POST", true},
    {WireOperation::kSqlQuery, Action::kQuery, "POST", true},
    {WireOperation::kBatch, Action::kBatch, "POST", true},
}};

SqlResult<Operation> OperationOf(const RequestFrame& frame) {
  const auto* const found = std::ranges::find(
      kOperations, static_cast<WireOperation>(frame.operation), &Operation::number);
  if (found == kOperations.end()) {
    return Refuse(405,
                  fmt::format("there is no operation 0x{:02X} in Direct mode", frame.operation));
  }
  return *found;
}

SqlResult<ResourceType> TypeOf(const RequestFrame& frame) {
  switch (static_cast<WireResource>(frame.resource)) {
    case WireResource::kDatabase:
      return ResourceType::kDatabase;
    case WireResource::kContainer:
      return ResourceType::kContainer;
    case WireResource::kDocument:
      return ResourceType::kDocument;
    case WireResource::kUser:
      return ResourceType::kUser;
    case WireResource::kPermission:
      return ResourceType::kPermission;
    case WireResource::kStoredProcedure:
      return ResourceType::kStoredProcedure;
    case WireResource::kConflict:
      return ResourceType::kConflict;
    case WireResource::kTrigger:
      return ResourceType::kTrigger;
    case WireResource::kUserFunction:
      return ResourceType::kUserFunction;
    case WireResource::kPartitionKeyRange:
      return ResourceType::kPartitionKeyRange;
    case WireResource::kConnection:
      break;
  }
  return Refuse(405, fmt::format("resources of type 0x{:02X} are not served in Direct mode; use "
                                 "gateway mode for them",
                                 frame.resource));
}

struct NamedStep {
  ResourceType type;
  std::string_view name;
};

// From the database down to a resource of that type.
std::vector<NamedStep> StepsTo(ResourceType type, const RequestTokens& tokens) {
  std::vector<NamedStep> steps = {{ResourceType::kDatabase, tokens.database}};
  const auto in_container = [&](std::string_view name) {
    steps.push_back({ResourceType::kContainer, tokens.container});
    steps.push_back({type, name});
  };
  switch (type) {
    case ResourceType::kContainer:
      steps.push_back({type, tokens.container});
      break;
    case ResourceType::kUser:
      steps.push_back({type, tokens.user});
      break;
    case ResourceType::kPermission:
      steps.push_back({ResourceType::kUser, tokens.user});
      steps.push_back({type, tokens.permission});
      break;
    case ResourceType::kDocument:
      in_container(tokens.document);
      break;
    case ResourceType::kStoredProcedure:
      in_container(tokens.stored_procedure);
      break;
    case ResourceType::kTrigger:
      in_container(tokens.trigger);
      break;
    case ResourceType::kUserFunction:
      in_container(tokens.user_function);
      break;
    case ResourceType::kConflict:
      in_container(tokens.conflict);
      break;
    case ResourceType::kPartitionKeyRange:
      in_container(tokens.range_name);
      break;
    default:
      break;
  }
  return steps;
}

std::string RidText(std::string_view bytes) {
  std::string text = gateway::ToBase64(bytes);
  std::ranges::replace(text, '/', '-');
  return text;
}

// Of a rid, which has those of its owners at its beginning.
std::string RidOfStep(std::string_view rid, size_t step) {
  if (step == 0) return RidText(rid.substr(0, kDatabaseRidBytes));
  if (step == 1) return RidText(rid.substr(0, kContainerRidBytes));
  return RidText(rid);
}

SqlResult<ResourcePath> PathOf(ResourceType type, bool feed, const RequestTokens& tokens) {
  std::vector<NamedStep> steps = StepsTo(type, tokens);
  if (feed) steps.pop_back();
  ResourcePath path{.type = type, .feed = feed, .steps = {}};
  const bool by_rid = tokens.database.empty();
  const std::array<size_t, 3> rid_bytes = {kDatabaseRidBytes, kContainerRidBytes,
                                           kContainerRidBytes + 1};
  if (by_rid && !steps.empty() && tokens.resource_id.size() < rid_bytes[steps.size() - 1])
    return Refuse(400, "the request has neither names nor the id of a resource");
  for (size_t i = 0; i < steps.size(); ++i) {
    if (!by_rid && steps[i].name.empty()) {
      return Refuse(400, fmt::format("the request does not name its resource: there is nothing "
                                     "below '{}'",
                                     SegmentOf(steps[i].type)));
    }
    path.steps.push_back(
        {steps[i].type, by_rid ? RidOfStep(tokens.resource_id, i) : std::string(steps[i].name)});
  }
  return path;
}

bool IsInContainer(const ResourcePath& path) {
  return path.steps.size() > 1 && path.steps[1].type == ResourceType::kContainer;
}

// ".../partitions/12/replicas/1p/": what the addresses handler wrote.
std::optional<PartitionId> PartitionOf(std::string_view replica_path) {
  const size_t at = replica_path.find(kPartitions);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view rest = replica_path.substr(at + kPartitions.size());
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  if (error != std::errc() || end == rest.data() + rest.size() || *end != '/') return std::nullopt;
  return PartitionId(number);
}

bool Flag(const std::optional<int64_t>& number) { return number.value_or(0) != 0; }

Status ReadScope(const RequestTokens& from, RequestHeaders& to) {
  if (!from.partition_key.empty()) {
    ORRERY_ASSIGN(to.partition_key, ParsePartitionKey(from.partition_key));
  }
  if (!from.range_id.empty()) {
    ORRERY_ASSIGN(to.range_id, RangeIdFrom(from.range_id));
  }
  if (!from.start_epk.empty() || !from.end_epk.empty())
    to.epk_range = EpkRangeFrom(from.start_epk, from.end_epk);
  to.container_rid = from.container_rid;
  return {};
}

Status ReadConditions(const RequestTokens& from, Action action, RequestHeaders& to) {
  const bool reads = action == Action::kRead || action == Action::kReadFeed;
  (reads ? to.if_none_match : to.if_match) = from.match;
  to.session = from.session;
  to.continuation = from.continuation;
  if (from.page_size.has_value() && *from.page_size != -1 && *from.page_size != kAnyPageSize) {
    ORRERY_ASSIGN(to.items_max, ItemsMaxFrom(*from.page_size));
  }
  if (!from.if_modified_since.empty()) {
    ORRERY_ASSIGN(to.if_modified_since, IfModifiedSinceFrom(from.if_modified_since));
  }
  ORRERY_ASSIGN(to.feed, FeedKindFrom(from.feed_kind));
  to.feed_has_metadata = FeedHasMetadata(from.feed_format);
  const int64_t level = from.consistency_level.value_or(0);
  if (level < 0 || level >= kConsistencyLevels)
    return Fail(Code::kInvalidArgument, fmt::format("there is no consistency level {}", level));
  if (from.token_lifetime_s.has_value()) {
    ORRERY_ASSIGN(to.token_lifetime_s, TokenLifetimeFrom(*from.token_lifetime_s));
  }
  return {};
}

void ReadOptions(const RequestTokens& from, RequestHeaders& to) {
  to.cross_partition = true;  // clients have planned it
  to.batch_atomic = Flag(from.batch_atomic);
  to.batch_stops = from.batch_continue_on_error == 0;
  to.minimal = Flag(from.return_preference);
  to.quota_info = Flag(from.quota_info);
  to.range_statistics = Flag(from.partition_statistics);
  to.query_metrics = Flag(from.query_metrics);
  if (Flag(from.index_metrics)) to.index_metrics = IndexMetrics::kFirst;
  to.script_logging = Flag(from.script_logging);
  if (!from.pre_triggers.empty()) to.pre_triggers = NamesFrom(from.pre_triggers);
  if (!from.post_triggers.empty()) to.post_triggers = NamesFrom(from.post_triggers);
}

}  // namespace

SqlResult<DirectRequest> ReadDirectRequest(const RequestFrame& frame, const RequestTokens& tokens,
                                           std::string_view client_version) {
  if (frame.body_too_large) {
    return Refuse(413, fmt::format("Request size is too large: a body has {} MB at most",
                                   kBodyBytesMax >> 20));
  }
  SQL_ASSIGN(const Operation operation, OperationOf(frame));
  SQL_ASSIGN(const ResourceType type, TypeOf(frame));
  DirectRequest request{
      .action = operation.action, .verb = operation.verb, .wants_body = operation.verb != "HEAD"};
  SQL_ASSIGN(request.path, PathOf(type, operation.feed, tokens));
  SQL_TRY(ReadScope(tokens, request.headers));
  SQL_TRY(ReadConditions(tokens, request.action, request.headers));
  ReadOptions(tokens, request.headers);
  request.headers.upsert = operation.number == WireOperation::kUpsert;
  request.headers.query = request.action == Action::kQuery;
  request.headers.batch = request.action == Action::kBatch;
  request.headers.old_session_tokens =
      HasOldSessionTokens(tokens.client_version.empty() ? client_version : tokens.client_version);
  if (!IsInContainer(request.path)) return request;
  request.partition = PartitionOf(tokens.replica_path);
  const bool whole = !request.headers.partition_key.has_value() &&
                     !request.headers.range_id.has_value() && request.partition.has_value();
  if (whole) request.headers.range_id = fmt::to_string(request.partition->value());
  return request;
}

}  // namespace orrery::sql::direct
