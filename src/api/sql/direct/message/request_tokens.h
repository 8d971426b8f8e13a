// The tokens of one request, by name: which number means what, and of which type it must be, stands
// in one place. Unknown tokens are skipped.
//
// Views of the frame's bytes. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/status.h"

namespace orrery::sql::direct {

// Text is empty, and numbers are nullopt, when there is no such token.
struct RequestTokens {
  std::optional<int64_t> transport_request_id;
  std::string_view replica_path;  // of the address that the client was told
  std::optional<int64_t> retry_attempts;
  std::string_view client_version;

  std::string_view authorization;
  std::string_view date;

  // The addressed resource: names, or else the bytes of a rid.
  std::string_view database;
  std::string_view container;
  std::string_view document;
  std::string_view user;
  std::string_view permission;
  std::string_view stored_procedure;
  std::string_view user_function;
  std::string_view trigger;
  std::string_view conflict;
  std::string_view range_name;
  std::string_view resource_id;
  std::string_view container_rid;  // that the client believes the container to have

  std::string_view partition_key;
  std::string_view range_id;
  std::string_view start_epk;
  std::string_view end_epk;

  std::optional<int64_t> page_size;
  std::string_view continuation;
  std::string_view session;
  std::string_view match;  // If-None-Match of what only reads one resource or a feed; else If-Match
  std::string_view if_modified_since;
  std::string_view feed_kind;
  std::string_view feed_format;
  std::optional<int64_t> consistency_level;

  std::optional<int64_t> batch_atomic;
  std::optional<int64_t> batch_continue_on_error;
  std::optional<int64_t> return_preference;
  std::optional<int64_t> quota_info;
  std::optional<int64_t> query_metrics;
  std::optional<int64_t> partition_statistics;
  std::optional<int64_t> index_metrics;
  std::optional<int64_t> script_logging;
  std::string_view pre_triggers;
  std::string_view post_triggers;
  std::optional<int64_t> token_lifetime_s;
};

// Fills in what can be read, also when it fails: so an answer finds its request. kInvalidArgument
// when a token has another type than its meaning needs.
Status ReadRequestTokens(std::string_view tokens, RequestTokens& to);

}  // namespace orrery::sql::direct
