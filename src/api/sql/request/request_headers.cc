#include "api/sql/request/request_headers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "api/sql/request/partition_key_text.h"
#include "model/document/json.h"
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
constexpr int64_t kThroughputMax = int64_t{1} << 40;

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

  std::vector<std::string> List(std::string_view name) const {
    std::vector<std::string> names;
    std::string_view rest = headers_.Find(name).value_or("");
    while (!rest.empty()) {
      const size_t comma = std::min(rest.find(','), rest.size());
      std::string_view item = rest.substr(0, comma);
      while (!item.empty() && item.front() == ' ') item.remove_prefix(1);
      while (!item.empty() && item.back() == ' ') item.remove_suffix(1);
      if (!item.empty()) names.emplace_back(item);
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
    return names;
  }

 private:
  const net::HttpHeaders& headers_;
};

Status ReadScope(const HeaderReader& from, RequestHeaders& to) {
  if (const std::string key = from.Text("x-ms-documentdb-partitionkey"); !key.empty()) {
    ORRERY_ASSIGN(to.partition_key, ParsePartitionKey(key));
  }
  if (std::string id = from.Text("x-ms-documentdb-partitionkeyrangeid"); !id.empty()) {
    if (const size_t comma = id.find(','); comma != std::string::npos) id.erase(0, comma + 1);
    if (id.empty()) return Bad("x-ms-documentdb-partitionkeyrangeid", "the id of a range");
    to.range_id = std::move(id);
  }
  std::string min = from.Text("x-ms-start-epk");
  std::string max = from.Text("x-ms-end-epk");
  if (!min.empty() || !max.empty()) {
    if (max.empty()) max = "FF";
    to.epk_range = EpkRange{std::move(min), std::move(max)};
  }
  to.container_rid = from.Text("x-ms-cosmos-intended-collection-rid");
  return {};
}

Status ReadConditions(const HeaderReader& from, RequestHeaders& to) {
  to.if_match = from.Text("if-match");
  to.if_none_match = from.Text("if-none-match");
  to.session = from.Text("x-ms-session-token");
  const std::string version = from.Text("x-ms-version");
  to.old_session_tokens = !version.empty() && version < kVersionedTokensSince;
  if (const std::string since = from.Text("if-modified-since"); !since.empty()) {
    to.if_modified_since = net::ParseHttpDate(since);
    if (!to.if_modified_since.has_value())
      return Bad("If-Modified-Since", "a date such as Sun, 06 Nov 1994 08:49:37 GMT");
  }
  const std::string feed = from.Text("a-im");
  if (net::EqualsIgnoringCase(feed, "incremental feed")) {
    to.feed = FeedKind::kIncremental;
  } else if (net::EqualsIgnoringCase(feed, "full-fidelity feed")) {
    to.feed = FeedKind::kFullFidelity;
  } else if (!feed.empty()) {
    return Bad("A-IM", "\"Incremental Feed\" or \"Full-Fidelity Feed\"");
  }
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
  if (items == 0) return Bad("x-ms-max-item-count", "-1 or a number above 0");
  if (items.value_or(-1) > 0) to.items_max = static_cast<size_t>(*items);
  to.continuation = from.Text("x-ms-continuation");
  return {};
}

struct AutoscaleSettings {
  int64_t maximum = 0;
  std::optional<int64_t> increment;
};

bool IsInteger(const model::Value& value) {
  return value.kind() == model::Kind::kInt32 || value.kind() == model::Kind::kInt64;
}

// {"maxThroughput":4000}, or
// {"maxThroughput":4000,"autoUpgradePolicy":{"throughputPolicy":{"incrementPercent":10}}}
Result<AutoscaleSettings> AutoscaleFrom(std::string_view json) {
  constexpr std::string_view kName = "x-ms-cosmos-offer-autopilot-settings";
  const auto settings = model::ValueFromJson(json);
  const model::Value* most = settings.has_value() ? settings->Find("maxThroughput") : nullptr;
  if (most == nullptr || !IsInteger(*most))
    return Bad(kName, R"(JSON such as {"maxThroughput":4000})");
  AutoscaleSettings autoscale{.maximum = most->AsInteger(), .increment = {}};
  const model::Value* inner = &*settings;
  for (const std::string_view name : {"autoUpgradePolicy", "throughputPolicy", "incrementPercent"})
    inner = inner == nullptr ? nullptr : inner->Find(name);
  if (inner != nullptr && IsInteger(*inner)) autoscale.increment = inner->AsInteger();
  return autoscale;
}

Status ReadThroughput(const HeaderReader& from, RequestHeaders& to) {
  ORRERY_ASSIGN(const auto manual, from.Integer("x-ms-offer-throughput", 0, kThroughputMax));
  const std::string autoscale = from.Text("x-ms-cosmos-offer-autopilot-settings");
  if (manual.has_value() && !autoscale.empty()) {
    return Fail(Code::kInvalidArgument,
                "throughput is manual or autoscale: send one of the headers x-ms-offer-throughput "
                "and x-ms-cosmos-offer-autopilot-settings");
  }
  if (manual.has_value()) to.throughput = partition::ThroughputSettings::Manual(*manual);
  if (!autoscale.empty()) {
    ORRERY_ASSIGN(const AutoscaleSettings settings, AutoscaleFrom(autoscale));
    to.throughput = partition::ThroughputSettings::Autoscale(settings.maximum);
    to.autoscale_increment = settings.increment;
  }
  to.migrate_to_autoscale = from.Flag("x-ms-cosmos-migrate-offer-to-autopilot");
  to.migrate_to_manual = from.Flag("x-ms-cosmos-migrate-offer-to-manual-throughput");
  return {};
}

}  // namespace

Result<RequestHeaders> ReadHeaders(const net::HttpHeaders& headers) {
  const HeaderReader from(headers);
  RequestHeaders to;
  ORRERY_TRY(ReadScope(from, to));
  ORRERY_TRY(ReadPaging(from, to));
  ORRERY_TRY(ReadConditions(from, to));
  ORRERY_TRY(ReadThroughput(from, to));
  to.upsert = from.Flag("x-ms-documentdb-is-upsert");
  to.query_plan = from.Flag("x-ms-cosmos-is-query-plan-request");
  to.plan_features = from.List("x-ms-cosmos-supported-query-features");
  to.query = from.Flag("x-ms-documentdb-isquery") || from.Flag("x-ms-documentdb-query") ||
             from.Text("content-type").starts_with("application/query+json");
  to.cross_partition = from.Flag("x-ms-documentdb-query-enablecrosspartition");
  to.feed_has_metadata =
      from.Text("x-ms-cosmos-changefeed-wire-format-version") >= kFeedWithMetadata;
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
  to.pre_triggers = from.List("x-ms-documentdb-pre-trigger-include");
  to.post_triggers = from.List("x-ms-documentdb-post-trigger-include");
  to.script_logging = from.Flag("x-ms-documentdb-script-enable-logging");
  ORRERY_ASSIGN(to.token_lifetime_s, from.Integer("x-ms-documentdb-expiry-seconds",
                                                  kTokenLifetimeMin, kTokenLifetimeMax));
  return to;
}

}  // namespace orrery::sql
