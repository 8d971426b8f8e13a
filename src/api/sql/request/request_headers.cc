#include "api/sql/request/request_headers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "api/sql/request/partition_key_text.h"
#include "gateway/catalog/throughput_text.h"
#include "net/http/http_date.h"

namespace orrery::sql {
namespace {

// The date of the form, as clients name it.
constexpr std::string_view kFeedWithMetadata = "2021-09-15";
// Of the interface; such dates compare as text.
constexpr std::string_view kVersionedTokensSince = "2018-06-18";

constexpr int64_t kItemsMax = 1'000'000;
constexpr int64_t kTokenLifetimeMax = int64_t{24} * 60 * 60;
constexpr int64_t kTokenLifetimeMin = int64_t{10} * 60;

constexpr std::array<std::string_view, 5> kConsistencyLevels = {
    "Strong", "BoundedStaleness", "Session", "Eventual", "ConsistentPrefix"};

std::unexpected<Error> Bad(std::string_view name, std::string_view wanted) {
  return Fail(Code::kInvalidArgument, fmt::format("the header {} must be {}", name, wanted));
}

class HeaderReader {
 public:
  explicit HeaderReader(const net::HttpHeaders& headers) : headers_(headers) {}

  std::string Text(std::string_view name) const {
    return std::string(headers_.Find(name).value_or(""));
  }

  // Absent is false; so is anything but "true" in any case of letters, as clients write both.
  bool Flag(std::string_view name) const {
    return net::EqualsIgnoringCase(headers_.Find(name).value_or(""), "true");
  }

  Result<std::optional<int64_t>> Integer(std::string_view name, int64_t low, int64_t high) const {
    const auto text = headers_.Find(name);
    if (!text.has_value() || text->empty()) return std::nullopt;
    int64_t number = 0;
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
    if (error != std::errc() || end != text->data() + text->size() || number < low || number > high)
      return Bad(name, fmt::format("a whole number from {} to {}", low, high));
    return number;
  }

 private:
  const net::HttpHeaders& headers_;
};

Status ReadScope(const HeaderReader& from, RequestHeaders& to) {
  if (const std::string key = from.Text("x-ms-documentdb-partitionkey"); !key.empty()) {
    ORRERY_ASSIGN(to.partition_key, ParsePartitionKey(key));
  }
  if (const std::string id = from.Text("x-ms-documentdb-partitionkeyrangeid"); !id.empty()) {
    ORRERY_ASSIGN(to.range_id, RangeIdFrom(id));
  }
  const std::string min = from.Text("x-ms-start-epk");
  const std::string max = from.Text("x-ms-end-epk");
  if (!min.empty() || !max.empty()) to.epk_range = EpkRangeFrom(min, max);
  to.container_rid = from.Text("x-ms-cosmos-intended-collection-rid");
  return {};
}

Status ReadConditions(const HeaderReader& from, RequestHeaders& to) {
  to.if_match = from.Text("if-match");
  to.if_none_match = from.Text("if-none-match");
  to.session = from.Text("x-ms-session-token");
  to.old_session_tokens = HasOldSessionTokens(from.Text("x-ms-version"));
  if (const std::string since = from.Text("if-modified-since"); !since.empty()) {
    ORRERY_ASSIGN(to.if_modified_since, IfModifiedSinceFrom(since));
  }
  ORRERY_ASSIGN(to.feed, FeedKindFrom(from.Text("a-im")));
  const std::string level = from.Text("x-ms-consistency-level");
  if (!level.empty() && std::ranges::none_of(kConsistencyLevels, [&](std::string_view known) {
        return net::EqualsIgnoringCase(known, level);
      })) {
    return Bad("x-ms-consistency-level",
               "one of Strong, BoundedStaleness, Session, ConsistentPrefix and Eventual");
  }
  return {};
}

Status ReadPaging(const HeaderReader& from, RequestHeaders& to) {
  ORRERY_ASSIGN(const auto items, from.Integer("x-ms-max-item-count", -1, kItemsMax));
  if (items.has_value()) {
    ORRERY_ASSIGN(to.items_max, ItemsMaxFrom(*items));
  }
  to.continuation = from.Text("x-ms-continuation");
  return {};
}

Status ReadThroughput(const HeaderReader& from, RequestHeaders& to) {
  ORRERY_ASSIGN(const gateway::RequestedThroughput wanted,
                gateway::ReadRequestedThroughput(from.Text(gateway::kManualThroughputHeader),
                                                 from.Text(gateway::kAutoscaleHeader)));
  to.throughput = wanted.settings;
  to.autoscale_increment = wanted.autoscale_increment;
  to.migrate_to_autoscale = from.Flag("x-ms-cosmos-migrate-offer-to-autopilot");
  to.migrate_to_manual = from.Flag("x-ms-cosmos-migrate-offer-to-manual-throughput");
  return {};
}

}  // namespace

Result<FeedKind> FeedKindFrom(std::string_view text) {
  if (text.empty()) return FeedKind::kNone;
  if (net::EqualsIgnoringCase(text, "incremental feed")) return FeedKind::kIncremental;
  if (net::EqualsIgnoringCase(text, "full-fidelity feed")) return FeedKind::kFullFidelity;
  return Bad("A-IM", "\"Incremental Feed\" or \"Full-Fidelity Feed\"");
}

Result<Micros> IfModifiedSinceFrom(std::string_view text) {
  const auto time = net::ParseHttpDate(text);
  if (!time.has_value())
    return Bad("If-Modified-Since", "a date such as Sun, 06 Nov 1994 08:49:37 GMT");
  return *time;
}

Result<std::string> RangeIdFrom(std::string_view text) {
  if (const size_t comma = text.find(','); comma != std::string_view::npos)
    text.remove_prefix(comma + 1);
  if (text.empty()) return Bad("x-ms-documentdb-partitionkeyrangeid", "the id of a range");
  return std::string(text);
}

Result<std::optional<size_t>> ItemsMaxFrom(int64_t number) {
  if (number < -1 || number > kItemsMax)
    return Bad("x-ms-max-item-count", "-1 or a number above 0");
  // 0 is what Java's client asks for TOP 0: as many as the server likes, like -1.
  return number > 0 ? std::optional(static_cast<size_t>(number)) : std::nullopt;
}

Result<int64_t> TokenLifetimeFrom(int64_t seconds) {
  if (seconds < kTokenLifetimeMin || seconds > kTokenLifetimeMax) {
    return Bad("x-ms-documentdb-expiry-seconds",
               fmt::format("a whole number from {} to {}", kTokenLifetimeMin, kTokenLifetimeMax));
  }
  return seconds;
}

EpkRange EpkRangeFrom(std::string_view min, std::string_view max) {
  return {std::string(min), std::string(max.empty() ? "FF" : max)};
}

std::vector<std::string> NamesFrom(std::string_view text) {
  std::vector<std::string> names;
  while (!text.empty()) {
    const size_t comma = std::min(text.find(','), text.size());
    std::string_view item = text.substr(0, comma);
    while (!item.empty() && item.front() == ' ') item.remove_prefix(1);
    while (!item.empty() && item.back() == ' ') item.remove_suffix(1);
    if (!item.empty()) names.emplace_back(item);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return names;
}

bool FeedHasMetadata(std::string_view format_version) {
  return format_version >= kFeedWithMetadata;
}

bool HasOldSessionTokens(std::string_view client_version) {
  return !client_version.empty() && client_version < kVersionedTokensSince;
}

Result<RequestHeaders> ReadHeaders(const net::HttpHeaders& headers) {
  const HeaderReader from(headers);
  RequestHeaders to;
  ORRERY_TRY(ReadScope(from, to));
  ORRERY_TRY(ReadPaging(from, to));
  ORRERY_TRY(ReadConditions(from, to));
  ORRERY_TRY(ReadThroughput(from, to));
  to.upsert = from.Flag("x-ms-documentdb-is-upsert");
  to.query_plan = from.Flag("x-ms-cosmos-is-query-plan-request");
  to.plan_features = NamesFrom(from.Text("x-ms-cosmos-supported-query-features"));
  to.query = from.Flag("x-ms-documentdb-isquery") || from.Flag("x-ms-documentdb-query") ||
             from.Text("content-type").starts_with("application/query+json");
  to.cross_partition = from.Flag("x-ms-documentdb-query-enablecrosspartition");
  to.feed_has_metadata = FeedHasMetadata(from.Text("x-ms-cosmos-changefeed-wire-format-version"));
  to.batch = from.Flag("x-ms-cosmos-is-batch-request");
  to.batch_atomic = from.Flag("x-ms-cosmos-batch-atomic");
  to.batch_stops =
      net::EqualsIgnoringCase(from.Text("x-ms-cosmos-batch-continue-on-error"), "false");
  to.minimal = net::EqualsIgnoringCase(from.Text("prefer"), "return=minimal");
  to.quota_info = from.Flag("x-ms-documentdb-populatequotainfo");
  to.range_statistics = from.Flag("x-ms-documentdb-populatepartitionstatistics");
  to.query_metrics = from.Flag("x-ms-documentdb-populatequerymetrics");
  if (from.Flag("x-ms-cosmos-populateindexmetrics")) to.index_metrics = IndexMetrics::kFirst;
  if (from.Flag("x-ms-cosmos-populateindexmetrics-V2")) to.index_metrics = IndexMetrics::kSecond;
  to.pre_triggers = NamesFrom(from.Text("x-ms-documentdb-pre-trigger-include"));
  to.post_triggers = NamesFrom(from.Text("x-ms-documentdb-post-trigger-include"));
  to.script_logging = from.Flag("x-ms-documentdb-script-enable-logging");
  ORRERY_ASSIGN(to.token_lifetime_s, from.Integer("x-ms-documentdb-expiry-seconds",
                                                  kTokenLifetimeMin, kTokenLifetimeMax));
  return to;
}

}  // namespace orrery::sql
