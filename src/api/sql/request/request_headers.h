// RequestHeaders has the headers of a request as typed values. One place knows their names and
// forms; every header that is malformed is refused with a message that names it.
//
// Headers that change nothing here (hints for caches, priorities, formats of answers) are not read.
// Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "gateway/account/key_maker.h"
#include "gateway/catalog/container_settings.h"
#include "net/http/http_message.h"

namespace orrery::sql {

enum class FeedKind : uint8_t { kNone, kIncremental, kFullFidelity };  // A-IM

// The form in which clients want to know which indexes a query has used.
enum class IndexMetrics : uint8_t {
  kNone,
  kFirst,   // x-ms-cosmos-populateindexmetrics: JSON in base64
  kSecond,  // x-ms-cosmos-populateindexmetrics-V2: other JSON, percent-encoded
};

// A part of a container by effective partition keys, upper-case hex: ["", "FF") is all.
struct EpkRange {
  std::string min;
  std::string max;
  friend bool operator==(const EpkRange&, const EpkRange&) = default;
};

struct RequestHeaders {
  // The part of a container.
  std::optional<gateway::KeyValues> partition_key;
  std::optional<std::string> range_id;  // without the container's rid before it
  std::optional<EpkRange> epk_range;
  std::string container_rid;  // that the client believes the container to have; may be empty

  // Pages.
  std::optional<size_t> items_max;  // none: as many as fit
  std::string continuation;

  // Conditions and consistency.
  std::string if_match;
  std::string if_none_match;
  std::optional<Micros> if_modified_since;
  FeedKind feed = FeedKind::kNone;
  std::string session;
  bool old_session_tokens = false;  // by its version the client knows only those without versions

  // The meaning of a POST.
  bool upsert = false;
  bool query = false;
  bool query_plan = false;
  bool cross_partition = false;            // a query may be of several partitions
  std::vector<std::string> plan_features;  // that the client understands
  bool feed_has_metadata = false;  // changes come as {current, metadata}, in every kind of feed
  bool batch = false;
  bool batch_atomic = false;
  bool batch_stops = false;  // at the first operation that fails, of a batch that is not atomic

  // Throughput.
  partition::ThroughputSettings throughput;
  std::optional<int64_t> autoscale_increment;  // in percent (offer/auto_upgrade.h)
  bool migrate_to_autoscale = false;
  bool migrate_to_manual = false;

  // Answers.
  bool minimal = false;  // writes are answered without the document
  bool quota_info = false;
  bool range_statistics = false;  // sizes of each partition key range, with the container
  bool query_metrics = false;
  IndexMetrics index_metrics = IndexMetrics::kNone;

  // Scripts.
  std::vector<std::string> pre_triggers;
  std::vector<std::string> post_triggers;
  bool script_logging = false;

  std::optional<int64_t> token_lifetime_s;  // of a permission's resource token
};

// Parse single headers; Direct mode has the same texts in tokens. kInvalidArgument names the header
// and says what it should be.
Result<FeedKind> FeedKindFrom(std::string_view text);  // kNone for an empty one
Result<Micros> IfModifiedSinceFrom(std::string_view text);
Result<std::string> RangeIdFrom(std::string_view text);
Result<std::optional<size_t>> ItemsMaxFrom(int64_t number);
Result<int64_t> TokenLifetimeFrom(int64_t seconds);
EpkRange EpkRangeFrom(std::string_view min, std::string_view max);
// Names with commas between.
std::vector<std::string> NamesFrom(std::string_view text);
bool FeedHasMetadata(std::string_view format_version);
bool HasOldSessionTokens(std::string_view client_version);

// kInvalidArgument names the header and says what it should be.
Result<RequestHeaders> ReadHeaders(const net::HttpHeaders& headers);

}  // namespace orrery::sql
