// A Reply is a handler's successful answer, before it is an HTTP response: the headers that clients
// of this API read have fields of their own.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/sql/http/error_response.h"
#include "base/ids.h"
#include "base/request_units.h"
#include "gateway/catalog/catalog_entries.h"
#include "model/value.h"
#include "net/http/http_message.h"

namespace orrery::sql {

// The container or database that session tokens are kept for.
struct ReplyOwner {
  std::string rid{};  // empty: none is named
  std::string database{};
  std::string container{};  // empty: the database itself
};

struct Reply {
  int status = 200;
  std::string body{};  // JSON, unless the headers say otherwise; empty for none
  // Looking into the catalog costs one unit, as clients expect some charge of every answer.
  RequestUnits charge = RequestUnits::Whole(1);
  std::string session{};
  // The partition that was read, where the session does not name it.
  std::optional<PartitionId> partition{};
  std::string etag{};
  std::string continuation{};
  std::optional<size_t> count{};  // of a feed's page
  ReplyOwner owner{};
  std::optional<Lsn> item_lsn{};  // that wrote the document which was read
  net::HttpHeaders headers{};     // all others
};

// One resource, with its etag.
Reply ResourceReply(int status, const model::Value& resource);

// {"_rid":..,"<name>":[..],"_count":n}
Reply FeedReply(std::string_view owner_rid, std::string_view name,
                const std::vector<model::Value>& resources);

// The same for items that are JSON text already, written one after the other.
class FeedWriter {
 public:
  FeedWriter(std::string_view owner_rid, std::string_view name);
  // Returns the buffer to which the next item is to be appended.
  std::string& Next();
  size_t count() const { return count_; }
  Reply Finish() &&;

 private:
  std::string body_;
  size_t count_ = 0;
};

// Names the container that session tokens are kept for.
void AddOwner(Reply& reply, const gateway::ContainerEntry& container);

// `old_session_tokens`: RequestHeaders.
net::HttpResponse ToResponse(Reply reply, std::string_view activity_id,
                             bool old_session_tokens = false);
net::HttpResponse ToResponse(const ErrorResponse& error_response, std::string_view activity_id,
                             bool old_session_tokens = false);

}  // namespace orrery::sql
