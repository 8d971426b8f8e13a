#include "api/sql/direct/message/answer.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <optional>
#include <string_view>

#include "api/sql/direct/protocol/frame.h"
#include "api/sql/direct/protocol/token.h"

namespace orrery::sql::direct {
namespace {

// Headers that few answers have, and that handlers write as text.
struct RareHeader {
  std::string_view name;
  AnswerToken token;
  bool is_number;
};
constexpr std::array<RareHeader, 6> kRareHeaders = {{
    {"x-ms-documentdb-query-metrics", AnswerToken::kQueryMetrics, false},
    {"x-ms-cosmos-index-utilization", AnswerToken::kIndexUse, false},
    {"x-ms-documentdb-script-log-results", AnswerToken::kScriptLog, false},
    {"x-ms-resource-quota", AnswerToken::kResourceQuota, false},
    {"x-ms-resource-usage", AnswerToken::kResourceUsage, false},
    {"x-ms-documentdb-collection-index-transformation-progress", AnswerToken::kIndexProgress, true},
}};

constexpr std::string_view kSchemaVersion = "1.14";
// Resources outside partitions have no history to count.
constexpr int64_t kCatalogLsn = 1;

// Returns nullopt when the text is no number.
std::optional<int64_t> NumberIn(std::string_view text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

void WriteRareHeaders(AnswerWriter& writer, const net::HttpHeaders& headers) {
  for (size_t i = 0; i < headers.size(); ++i) {
    for (const RareHeader& rare : kRareHeaders) {
      if (!net::EqualsIgnoringCase(headers.name(i), rare.name)) continue;
      const std::string_view value = headers.value(i);
      if (!rare.is_number) {
        // A value that does not fit a token is information that clients can do without.
        if (value.size() <= kTextBytesMax) writer.Text(rare.token, value);
      } else if (const auto number = NumberIn(value); number.has_value()) {
        writer.UInt32(rare.token, static_cast<uint32_t>(*number));
      }
    }
  }
}

void WriteLsn(AnswerWriter& writer, int64_t lsn) {
  for (const AnswerToken token :
       {AnswerToken::kLsn, AnswerToken::kQuorumAckedLsn, AnswerToken::kGlobalCommittedLsn,
        AnswerToken::kLocalLsn, AnswerToken::kQuorumAckedLocalLsn}) {
    writer.Int64(token, lsn);
  }
}

// "3:-1#12" says that position 12 of partition 3 was seen, and comes in two tokens. Of several
// partitions nothing is said: clients expect one.
void WriteSession(AnswerWriter& writer, std::string_view session, bool old_form) {
  const size_t colon = session.find(':');
  const size_t hash = session.rfind('#');
  if (colon == std::string_view::npos || hash == std::string_view::npos || hash < colon) return;
  if (session.size() > kTextBytesMax || session.find(',') != std::string_view::npos) return;
  const auto lsn = NumberIn(session.substr(hash + 1));
  if (!lsn.has_value()) return;
  writer.Text(AnswerToken::kPartitionKeyRangeId, session.substr(0, colon));
  writer.Text(AnswerToken::kSessionToken, session.substr((old_form ? hash : colon) + 1));
  WriteLsn(writer, *lsn);
}

void WriteCommon(AnswerWriter& writer, const AnswerContext& context, RequestUnits charge,
                 std::string_view session, Micros duration) {
  writer.UInt32(AnswerToken::kTransportRequestId, context.transport_request_id);
  writer.Double(AnswerToken::kRequestCharge, charge.ToDouble());
  writer.Double(AnswerToken::kDurationMs, static_cast<double>(duration.count()) / 1000);
  writer.SmallText(AnswerToken::kSchemaVersion, kSchemaVersion);
  // One copy of each partition answers, whatever the store below it keeps.
  writer.UInt32(AnswerToken::kWriteQuorum, 1);
  writer.UInt32(AnswerToken::kReplicaSetSize, 1);
  writer.UInt32(AnswerToken::kReadRegions, 0);
  if (session.empty()) {
    // Of databases, users and permissions clients want to see that a quorum has some position.
    WriteLsn(writer, kCatalogLsn);
  } else {
    WriteSession(writer, session, context.old_session_tokens);
  }
}

void WriteOwner(AnswerWriter& writer, const ReplyOwner& owner) {
  if (owner.rid.empty()) return;
  writer.Text(AnswerToken::kOwnerId, owner.rid);
  std::string name = "dbs/" + owner.database;
  if (!owner.container.empty()) name.append("/colls/").append(owner.container);
  if (name.size() <= kTextBytesMax) writer.Text(AnswerToken::kOwnerFullName, name);
}

void WriteReply(std::string& out, const AnswerContext& context, const Reply& reply,
                Micros duration) {
  AnswerWriter writer(out, static_cast<uint32_t>(reply.status), context.activity);
  WriteCommon(writer, context, reply.charge, reply.session, duration);
  if (reply.session.empty() && reply.partition.has_value())
    writer.Text(AnswerToken::kPartitionKeyRangeId, fmt::to_string(reply.partition->value()));
  WriteOwner(writer, reply.owner);
  if (!reply.etag.empty()) writer.Text(AnswerToken::kEtag, reply.etag);
  if (!reply.continuation.empty()) writer.Text(AnswerToken::kContinuation, reply.continuation);
  if (reply.count.has_value())
    writer.UInt32(AnswerToken::kItemCount, static_cast<uint32_t>(*reply.count));
  if (reply.item_lsn.has_value()) {
    const auto lsn = static_cast<int64_t>(reply.item_lsn->value());
    writer.Int64(AnswerToken::kItemLsn, lsn);
    writer.Int64(AnswerToken::kItemLocalLsn, lsn);
  }
  WriteRareHeaders(writer, reply.headers);
  writer.Finish(context.wants_body ? std::string_view(reply.body) : std::string_view());
}

// Returns whether an error response holds whatever the partition's position is. "Not found" and
// "moved" do not.
bool HoldsAnywhere(const Failure& failure) {
  return failure.status != 404 && failure.status != 410;
}

void WriteErrorResponse(std::string& out, const AnswerContext& context,
                        const ErrorResponse& error_response, Micros duration) {
  const Failure& failure = error_response.failure;
  const bool tells_again = error_response.session.empty() && HoldsAnywhere(failure);
  AnswerWriter writer(out, static_cast<uint32_t>(failure.status), context.activity);
  WriteCommon(writer, context, error_response.charge.value_or(RequestUnits()),
              tells_again ? context.session : error_response.session, duration);
  if (failure.substatus != Substatus::kNone)
    writer.UInt32(AnswerToken::kSubstatus, static_cast<uint32_t>(failure.substatus));
  if (failure.status == 429) writer.UInt32(AnswerToken::kRetryAfterMs, failure.retry_after_ms);
  writer.Finish(FailureBody(failure, GuidText(context.activity)));
}

}  // namespace

void AppendAnswer(std::string& out, const AnswerContext& context, const SqlResult<Reply>& answer,
                  Micros duration) {
  if (!answer.has_value()) return WriteErrorResponse(out, context, answer.error(), duration);
  if (answer->continuation.size() <= kTextBytesMax && answer->etag.size() <= kTextBytesMax)
    return WriteReply(out, context, *answer, duration);
  ErrorResponse error_response(
      Failure{.status = 400,
              .message = "the continuation is larger than Direct mode can send: ask "
                         "for one partition key range, or use gateway mode"});
  error_response.charge = answer->charge;
  WriteErrorResponse(out, context, error_response, duration);
}

}  // namespace orrery::sql::direct
