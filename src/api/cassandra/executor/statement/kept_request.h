// Copies of whole requests, for statements that are parsed after the request is gone.
//
// Views of a request point into the message that it came in; those of the copies point into buffers
// of their own. Neither copied nor moved for that reason. Immutable, so any thread may look.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/cassandra/executor/kept_values.h"
#include "api/cassandra/executor/statement_service.h"

namespace orrery::cassandra {

// The part that all requests have.
class KeptContext {
 public:
  explicit KeptContext(const MessageContext& context);
  KeptContext(const KeptContext&) = delete;
  KeptContext& operator=(const KeptContext&) = delete;

  MessageContext context() const { return {client_, payload_, tracing_id_, request_}; }

 protected:
  // A copy that lives as long as this.
  std::string_view Keep(std::string_view text) { return texts_.emplace_back(text); }
  std::optional<std::string_view> Keep(std::optional<std::string_view> text) {
    return text.has_value() ? std::optional(Keep(*text)) : std::nullopt;
  }

 private:
  std::deque<std::string> texts_;
  const ClientPtr client_;
  std::vector<PayloadEntry> payload_;
  const std::optional<Uuid> tracing_id_;
  const RequestContext request_;
};

class KeptQuery final : public KeptContext {
 public:
  KeptQuery(const QueryRequest& request, const MessageContext& context);
  const QueryRequest& request() const { return request_; }

 private:
  const KeptValues values_;
  QueryRequest request_;
};

class KeptBatch final : public KeptContext {
 public:
  KeptBatch(const BatchRequest& request, const MessageContext& context);
  const BatchRequest& request() const { return request_; }

 private:
  const KeptValues values_;
  BatchRequest request_;
};

}  // namespace orrery::cassandra
