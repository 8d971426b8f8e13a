#include "api/sql/direct/message/request_tokens.h"

#include <fmt/format.h>

#include <array>

#include "api/sql/direct/protocol/ids.h"
#include "api/sql/direct/protocol/token.h"

namespace orrery::sql::direct {
namespace {

using TextField = std::string_view RequestTokens::*;
using NumberField = std::optional<int64_t> RequestTokens::*;

struct Place {
  TextField text = nullptr;
  NumberField number = nullptr;
};

constexpr size_t kIdsMax = 256;  // all that this server knows are below

constexpr std::array<Place, kIdsMax> MakePlaces() {
  std::array<Place, kIdsMax> places{};
  const auto text = [&](RequestToken id, TextField field) {
    places[static_cast<size_t>(id)].text = field;
  };
  const auto number = [&](RequestToken id, NumberField field) {
    places[static_cast<size_t>(id)].number = field;
  };
  text(RequestToken::kResourceId, &RequestTokens::resource_id);
  text(RequestToken::kAuthorization, &RequestTokens::authorization);
  text(RequestToken::kDate, &RequestTokens::date);
  number(RequestToken::kPageSize, &RequestTokens::page_size);
  text(RequestToken::kSessionToken, &RequestTokens::session);
  text(RequestToken::kContinuation, &RequestTokens::continuation);
  text(RequestToken::kMatch, &RequestTokens::match);
  text(RequestToken::kPreTriggers, &RequestTokens::pre_triggers);
  text(RequestToken::kPostTriggers, &RequestTokens::post_triggers);
  number(RequestToken::kConsistencyLevel, &RequestTokens::consistency_level);
  text(RequestToken::kReplicaPath, &RequestTokens::replica_path);
  number(RequestToken::kTokenLifetime, &RequestTokens::token_lifetime_s);
  text(RequestToken::kDatabaseName, &RequestTokens::database);
  text(RequestToken::kContainerName, &RequestTokens::container);
  text(RequestToken::kDocumentName, &RequestTokens::document);
  text(RequestToken::kUserName, &RequestTokens::user);
  text(RequestToken::kPermissionName, &RequestTokens::permission);
  text(RequestToken::kStoredProcedureName, &RequestTokens::stored_procedure);
  text(RequestToken::kUserFunctionName, &RequestTokens::user_function);
  text(RequestToken::kTriggerName, &RequestTokens::trigger);
  text(RequestToken::kConflictName, &RequestTokens::conflict);
  text(RequestToken::kClientVersion, &RequestTokens::client_version);
  text(RequestToken::kPartitionKey, &RequestTokens::partition_key);
  text(RequestToken::kPartitionKeyRangeId, &RequestTokens::range_id);
  text(RequestToken::kPartitionKeyRangeName, &RequestTokens::range_name);
  number(RequestToken::kEnableLogging, &RequestTokens::script_logging);
  text(RequestToken::kFeedKind, &RequestTokens::feed_kind);
  number(RequestToken::kPopulateQuotaInfo, &RequestTokens::quota_info);
  number(RequestToken::kPopulateQueryMetrics, &RequestTokens::query_metrics);
  number(RequestToken::kPopulatePartitionStatistics, &RequestTokens::partition_statistics);
  text(RequestToken::kIfModifiedSince, &RequestTokens::if_modified_since);
  number(RequestToken::kRetryAttempts, &RequestTokens::retry_attempts);
  number(RequestToken::kTransportRequestId, &RequestTokens::transport_request_id);
  text(RequestToken::kStartEpk, &RequestTokens::start_epk);
  text(RequestToken::kEndEpk, &RequestTokens::end_epk);
  number(RequestToken::kBatchAtomic, &RequestTokens::batch_atomic);
  number(RequestToken::kBatchContinueOnError, &RequestTokens::batch_continue_on_error);
  number(RequestToken::kReturnPreference, &RequestTokens::return_preference);
  text(RequestToken::kIntendedContainerRid, &RequestTokens::container_rid);
  number(RequestToken::kPopulateIndexMetrics, &RequestTokens::index_metrics);
  text(RequestToken::kFeedFormatVersion, &RequestTokens::feed_format);
  return places;
}

constexpr std::array<Place, kIdsMax> kPlaces = MakePlaces();

}  // namespace

Status ReadRequestTokens(std::string_view tokens, RequestTokens& to) {
  std::optional<uint16_t> wrong;
  TokenReader reader(tokens);
  while (const auto token = reader.Next()) {
    if (token->id >= kIdsMax) continue;
    const Place& place = kPlaces[token->id];
    if (place.text != nullptr) {
      const auto text = token->AsText();
      if (text.has_value()) to.*place.text = *text;
      if (!text.has_value()) wrong = token->id;
    } else if (place.number != nullptr) {
      to.*place.number = token->AsInteger();
      if (!(to.*place.number).has_value()) wrong = token->id;
    }
  }
  if (reader.malformed()) return Fail(Code::kInvalidArgument, "the request's tokens are malformed");
  if (wrong.has_value()) {
    return Fail(Code::kInvalidArgument,
                fmt::format("the request's token 0x{:02X} is of the wrong type", *wrong));
  }
  return {};
}

}  // namespace orrery::sql::direct
