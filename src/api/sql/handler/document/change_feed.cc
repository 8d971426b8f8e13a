#include "api/sql/handler/document/change_feed.h"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "api/sql/document/document_form.h"
#include "api/sql/range/feed_position.h"
#include "api/sql/range/request_range.h"
#include "api/sql/request/partition_key_text.h"
#include "gateway/position/session_token.h"
#include "gateway/view/container_ranges.h"
#include "model/document/json.h"
#include "model/key/key_codec.h"

namespace orrery::sql {
namespace {

using item::ChangeKind;
using item::FeedEntry;

std::string_view OperationName(ChangeKind kind) {
  switch (kind) {
    case ChangeKind::kCreate:
      return "create";
    case ChangeKind::kReplace:
      return "replace";
    case ChangeKind::kDelete:
      break;
  }
  return "delete";
}

void AppendDocument(std::string& out, const ContainerNames& names, const FeedEntry& entry) {
  AppendSeenJson(out, *entry.document, names,
                 {.key = entry.key, .lsn = entry.lsn, .time = entry.time});
}

// With its position, which estimators of what is yet to be read compare with the session's.
void AppendChange(std::string& out, const ContainerNames& names, const FeedEntry& entry) {
  AppendDocument(out, names, entry);
  out.pop_back();
  out += fmt::format(R"(,"_lsn":{}}})", entry.lsn.value());
}

// The id and the partition key of what was deleted: its document may not be kept.
void AppendDeletedKeys(std::string& out, const gateway::ContainerEntry& container,
                       const FeedEntry& entry) {
  if (const auto id = model::DecodeKey(entry.key.row_key); id.has_value() && !id->empty()) {
    out += R"(,"id":)";
    model::AppendJson(out, id->front());
  }
  const auto values = model::DecodeKey(entry.key.partition_key);
  const auto& paths = container.settings.partition_key_paths;
  if (!values.has_value() || values->size() != paths.size() || paths.empty()) return;
  model::Value key = model::Value::Object({});
  for (size_t i = 0; i < paths.size(); ++i)
    key.MutableFields().push_back({paths[i].substr(1), values->at(i)});
  out += R"(,"partitionKey":)";
  model::AppendJson(out, key);
}

void AppendVersion(std::string& out, const gateway::ContainerEntry& container,
                   const ContainerNames& names, const FeedEntry& entry) {
  const bool deleted = entry.kind == ChangeKind::kDelete;
  const bool has_document = entry.document.has_value();
  out += R"({"current":)";
  if (!deleted && has_document) {
    AppendDocument(out, names, entry);
  } else {
    out += "{}";
  }
  out += ',';
  if (deleted && has_document) {
    out += R"("previous":)";
    AppendDocument(out, names, entry);
    out += ',';
  }
  out +=
      fmt::format(R"("metadata":{{"operationType":"{}","lsn":{},"crts":{},"previousImageLSN":{})",
                  OperationName(entry.kind), entry.lsn.value(),
                  std::chrono::duration_cast<std::chrono::seconds>(entry.time).count(),
                  entry.previous_lsn.value());
  if (deleted) {
    out += fmt::format(R"(,"timeToLiveExpired":{})", entry.by_expiry);
    AppendDeletedKeys(out, container, entry);
  }
  out += "}}";
}

// `with_metadata`: each change as {current, metadata}.
Reply PageReply(const gateway::ContainerEntry& container, const gateway::FeedResponse& page,
                bool with_metadata) {
  const ContainerNames names(container);
  FeedWriter writer(names.rid(), "Documents");
  for (const FeedEntry& entry : page.entries) {
    if (with_metadata) {
      AppendVersion(writer.Next(), container, names, entry);
    } else if (entry.document.has_value()) {
      AppendChange(writer.Next(), names, entry);
    }
  }
  Reply reply = std::move(writer).Finish();
  reply.charge = page.charge;
  AddOwner(reply, container);
  return reply;
}

SqlResult<void> SetStart(const RequestHeaders& headers, gateway::FeedSpec& spec) {
  using Start = gateway::FeedSpec::Start;
  const bool all = spec.mode == item::FeedMode::kAllVersions;
  if (headers.if_none_match == "*") {
    spec.start = Start::kNow;
  } else if (headers.if_modified_since.has_value()) {
    spec.start = Start::kTime;
    spec.start_time = *headers.if_modified_since;
  } else {
    spec.start = Start::kBeginning;
  }
  if (all && spec.start != Start::kNow && headers.if_none_match.empty()) {
    return Refuse(400,
                  "You must read the change feed from within the retention period. All versions "
                  "and deletes are read from now on (If-None-Match: *) or from where an earlier "
                  "page ended, not from the beginning or a time.");
  }
  return {};
}

SqlResult<gateway::FeedSpec> SpecOf(const gateway::Gateway& gateway,
                                    const gateway::ContainerEntry& container,
                                    const RequestHeaders& headers, const item::PageLimits& limits) {
  gateway::FeedSpec spec;
  spec.mode = headers.feed == FeedKind::kFullFidelity ? item::FeedMode::kAllVersions
                                                      : item::FeedMode::kLatestVersion;
  spec.limits = limits;
  if (headers.partition_key.has_value()) {
    spec.partition_key = KeyFor(container, *headers.partition_key);
  } else {
    SQL_ASSIGN(spec.range, RangeOfRequest(gateway, container, headers));
  }
  SQL_TRY(SetStart(headers, spec));
  return spec;
}

struct FeedOrigin {
  std::string session;  // the last positions of the partitions that the feed is read from
  std::optional<PartitionId> partition{};  // when it is one only
};

SqlResult<FeedOrigin> OriginOf(const gateway::Gateway& gateway,
                               const gateway::ContainerEntry& container,
                               const FeedQuestion& question) {
  SQL_ASSIGN(const auto ranges, gateway::RangesOf(gateway, container));
  FeedOrigin origin;
  size_t partitions = 0;
  for (const gateway::ContainerRange& each : ranges) {
    if (question.spec.partition_key.has_value() && !each.range.Contains(question.key.hash))
      continue;
    if (question.spec.range.has_value() && !each.range.Intersect(*question.spec.range)) continue;
    ++partitions;
    origin.partition = each.partition;
    // Of partitions that other nodes have it is not known here.
    if (each.lsn != Lsn())
      gateway::AppendSessionPosition(origin.session,
                                     {.partition = each.partition, .lsn = each.lsn});
  }
  if (partitions > 1) origin.partition.reset();
  return origin;
}

}  // namespace

SqlResult<Reply> ReadChanges(gateway::Gateway& gateway, const gateway::ContainerRef& container,
                             const RequestHeaders& headers, const item::PageLimits& limits) {
  SQL_ASSIGN(const gateway::FeedSpec spec, SpecOf(gateway, *container, headers, limits));
  FeedQuestion question{.container = *container, .spec = spec};
  if (spec.partition_key.has_value()) {
    SQL_ASSIGN(question.key, gateway.RoutePartitionKey(*container, *spec.partition_key));
  }
  std::string continuation;
  if (!headers.if_none_match.empty() && headers.if_none_match != "*") {
    SQL_ASSIGN(continuation, ContinuationOf(question, headers.if_none_match));
  }
  SQL_ASSIGN(FeedOrigin origin, OriginOf(gateway, *container, question));
  SQL_ASSIGN(const gateway::FeedResponse page, gateway.ReadFeed(container, spec, continuation));
  Reply reply = PageReply(*container, page,
                          headers.feed_has_metadata || spec.mode == item::FeedMode::kAllVersions);
  reply.session = std::move(origin.session);
  reply.partition = origin.partition;
  SQL_ASSIGN(reply.etag, EtagOf(question, page.continuation));
  if (reply.count == 0) {
    reply.status = 304;
    reply.body.clear();
  }
  return reply;
}

}  // namespace orrery::sql
