#include "mongo/mongo_exchange.h"

#include <utility>

#include "api/mongo/protocol/message.h"
#include "base/check.h"

namespace orrery::bench {
namespace {

// Flags and the kind of the first section.
constexpr size_t kBeforeBody = mongo::kHeaderBytes + 4 + 1;

int64_t NumberOf(model::DocumentView reply, std::string_view name) {
  const auto field = reply.Find(name);
  if (!field.has_value()) return -1;
  if (field->kind() == model::Kind::kDouble) return static_cast<int64_t>(field->AsDouble());
  const bool whole = field->kind() == model::Kind::kInt32 || field->kind() == model::Kind::kInt64;
  return whole ? field->AsInteger() : -1;
}

// The documents of a cursor's first batch.
uint64_t CountOfBatch(model::DocumentView reply) {
  const auto cursor = reply.Find("cursor");
  if (!cursor.has_value() || cursor->kind() != model::Kind::kObject) return 0;
  const auto batch = cursor->AsDocument().Find("firstBatch");
  if (!batch.has_value() || batch->kind() != model::Kind::kArray) return 0;
  uint64_t count = 0;
  for ([[maybe_unused]] const model::ElementView element : batch->AsDocument()) ++count;
  return count;
}

}  // namespace

std::optional<MongoReply> ReadMongoReply(std::string_view input) {
  const auto header = mongo::ReadHeader(input);
  if (!header.has_value() || input.size() < static_cast<size_t>(header->length))
    return std::nullopt;
  MongoReply reply{.bytes = static_cast<size_t>(header->length),
                   .response_to = static_cast<uint32_t>(header->response_to)};
  if (reply.bytes <= kBeforeBody || header->opcode != static_cast<int32_t>(mongo::OpCode::kMsg))
    return reply;
  auto body = model::DocumentView::FromBson(input.substr(kBeforeBody, reply.bytes - kBeforeBody));
  if (body.has_value()) reply.body = *body;
  return reply;
}

MongoExchange::MongoExchange(MongoWorkloadKind kind, KeyChooser keys, uint64_t documents,
                             const CommandMaker& commands)
    : kind_(kind), keys_(std::move(keys)), documents_(documents), commands_(commands) {
  ORRERY_CHECK(kind != MongoWorkloadKind::kNone);
}

OperationKind MongoExchange::Next(uint32_t id, std::string& out) {
  const uint64_t number = keys_.Next();
  switch (kind_) {
    case MongoWorkloadKind::kFind:
      commands_.AppendFind(id, number, out);
      return OperationKind::kRead;
    case MongoWorkloadKind::kInsert:
      commands_.AppendInsert(id, number, 1, out);
      return OperationKind::kInsert;
    case MongoWorkloadKind::kUpdate:
      commands_.AppendUpdate(id, number, out);
      return OperationKind::kInsert;
    case MongoWorkloadKind::kMany:
      commands_.AppendInsert(id, number * CommandMaker::kOfOneBatch, CommandMaker::kOfOneBatch,
                             out);
      return OperationKind::kInsert;
    case MongoWorkloadKind::kIndexed:
      commands_.AppendIndexedFind(id, number / CommandMaker::kOfOneShelf, out);
      return OperationKind::kQuery;
    default:
      commands_.AppendGroup(id, documents_ / 2, out);
      return OperationKind::kQuery;
  }
}

std::optional<FramedAnswer> MongoExchange::Take(std::string_view input) const {
  const auto reply = ReadMongoReply(input);
  if (!reply.has_value()) return std::nullopt;
  FramedAnswer answer{.bytes = reply->bytes, .id = reply->response_to};
  answer.verdict.good = IsGood(reply->body);
  if (answer.verdict.good) return answer;
  if (const int64_t code = NumberOf(reply->body, "code"); code >= 0)
    answer.verdict.error = static_cast<int32_t>(code);
  const auto text = reply->body.Find("errmsg");
  const bool has_text = text.has_value() && text->kind() == model::Kind::kString;
  answer.verdict.problem = has_text ? text->AsString() : "a reply without what was asked for";
  return answer;
}

bool MongoExchange::IsGood(model::DocumentView reply) const {
  if (NumberOf(reply, "ok") != 1) return false;
  switch (kind_) {
    case MongoWorkloadKind::kFind:
      return CountOfBatch(reply) == 1;
    case MongoWorkloadKind::kInsert:
    case MongoWorkloadKind::kUpdate:
      return NumberOf(reply, "n") == 1;
    case MongoWorkloadKind::kMany:
      return NumberOf(reply, "n") == static_cast<int64_t>(CommandMaker::kOfOneBatch);
    case MongoWorkloadKind::kIndexed:
      return CountOfBatch(reply) == CommandMaker::kOfOneShelf;
    default:
      return CountOfBatch(reply) == CommandMaker::kGroups;
  }
}

}  // namespace orrery::bench
