#include "api/sql/range/feed_position.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "gateway/position/continuation.h"
#include "gateway/request_shape.h"

namespace orrery::sql {
namespace {

std::optional<Lsn> LonePosition(std::string_view text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return Lsn(number);
}

std::string_view Unquoted(std::string_view etag) {
  if (etag.size() >= 2 && etag.front() == '"' && etag.back() == '"')
    return etag.substr(1, etag.size() - 2);
  return etag;
}

partition::HashRange RangeOf(const FeedQuestion& question) {
  if (question.spec.partition_key.has_value())
    return partition::HashRange::Inclusive(question.key.hash, question.key.hash);
  return question.spec.range.value_or(partition::HashRange());
}

uint64_t Shape(const FeedQuestion& question) {
  return gateway::ShapeOf(question.spec, question.key.encoded);
}

}  // namespace

Result<std::string> ContinuationOf(const FeedQuestion& question, std::string_view etag) {
  const std::string_view text = Unquoted(etag);
  const auto position = LonePosition(text);
  if (!position.has_value()) return std::string(text);
  gateway::Continuation where;
  where.kind = gateway::ContinuationKind::kFeed;
  where.container = question.container.id;
  where.shape = Shape(question);
  where.parts = {{RangeOf(question), gateway::EncodeFeedPosition({*position})}};
  return gateway::EncodeContinuation(where);
}

Result<std::string> EtagOf(const FeedQuestion& question, std::string_view continuation) {
  ORRERY_ASSIGN(const gateway::Continuation where,
                gateway::DecodeContinuation(continuation, gateway::ContinuationKind::kFeed,
                                            question.container.id, Shape(question)));
  if (where.parts.size() == 1 && where.parts.front().inner.has_value() &&
      where.parts.front().range == RangeOf(question)) {
    ORRERY_ASSIGN(const gateway::FeedPosition position,
                  gateway::DecodeFeedPosition(*where.parts.front().inner));
    return fmt::format("\"{}\"", position.lsn.value());
  }
  return fmt::format("\"{}\"", continuation);
}

}  // namespace orrery::sql
