#include "api/mongo/command/session/session_arguments.h"

#include <fmt/format.h>
#include <openssl/sha.h>

#include <algorithm>
#include <utility>

#include "api/mongo/command/cursor_reply.h"
#include "api/mongo/command/fields.h"
#include "base/cluster_clock.h"

namespace orrery::mongo {
namespace {

std::unexpected<MongoError> WrongType(std::string_view field, const model::ElementView& found,
                                      std::string_view expected) {
  return Refuse(ErrorCode::kTypeMismatch,
                fmt::format("BSON field '{}' is the wrong type '{}', expected type '{}'", field,
                            TypeNameOf(found), expected));
}

Outcome ReadNumber(const CommandEntry& entry, CommandContext& context,
                   const model::ElementView& number) {
  if (number.kind() != model::Kind::kInt64)
    return WrongType("OperationSessionInfo.txnNumber", number, "long");
  if (context.session.empty()) {
    return Refuse(ErrorCode::kInvalidOptions,
                  "Transaction number requires a session ID to also be specified");
  }
  if (number.AsInteger() < 0)
    return Refuse(ErrorCode::kInvalidOptions, "Transaction number cannot be negative");
  if (!entry.is_write) {
    return Refuse(ErrorCode::kNotARetryableWriteCommand,
                  fmt::format("txnNumber may only be provided for multi-document transactions and "
                              "retryable write commands. autocommit:false was not provided, and {} "
                              "is not a retryable write command.",
                              entry.name));
  }
  context.retry = RetryKey{.session = context.session, .number = number.AsInteger()};
  return {};
}

std::string TimestampText(uint64_t bits) {
  return fmt::format("{{ ts: Timestamp({}, {}) }}", bits >> 32, bits & UINT32_MAX);
}

// Reads always see the newest version, so all that a client can have seen is in it. Another node's
// clock may be ahead of this one's.
Outcome CheckAfterClusterTime(const CommandContext& context) {
  const auto concern = context.body().Find("readConcern");
  if (!concern.has_value() || concern->kind() != model::Kind::kObject) return {};
  const auto after = concern->AsDocument().Find("afterClusterTime");
  if (!after.has_value() || after->kind() != model::Kind::kTimestamp) return {};
  const model::BsonTimestamp stamp = after->ToValue().AsTimestamp();
  const uint64_t bits = uint64_t{stamp.seconds} << 32 | stamp.increment;
  ClusterClock& times = context.services.gateway.times();
  if (bits <= TimestampOf(times.Latest()) || times.Observe(TimeOfTimestamp(bits))) return {};
  return Refuse(ErrorCode::kInvalidOptions,
                fmt::format("readConcern afterClusterTime value must not be greater than the "
                            "current clusterTime. Requested clusterTime: {}; current clusterTime: "
                            "{}",
                            TimestampText(bits), TimestampText(TimestampOf(times.Latest()))));
}

}  // namespace

std::string UserDigest(std::string_view user) {
  // Every command of a driver has a session, and nearly all are of the same user.
  thread_local std::string last_user;
  thread_local std::string last_digest;
  if (!last_digest.empty() && last_user == user) return last_digest;
  std::string digest(SHA256_DIGEST_LENGTH, '\0');
  SHA256(reinterpret_cast<const unsigned char*>(user.data()), user.size(),
         reinterpret_cast<unsigned char*>(digest.data()));
  last_user = user;
  last_digest = digest;
  return digest;
}

Answer<std::string> ReadSessionId(const CommandContext& context, model::DocumentView lsid,
                                  std::string_view field) {
  std::string session;
  const std::string digest = UserDigest(context.client->owner());
  for (const model::ElementView part : lsid) {
    const bool is_id = part.name() == "id";
    if (!is_id && part.name() != "uid") {
      return Refuse(40415,
                    fmt::format("BSON field '{}.{}' is an unknown field.", field, part.name()));
    }
    if (part.kind() != model::Kind::kBinary)
      return WrongType(fmt::format("{}.{}", field, part.name()), part, "binData");
    const model::Value value = part.ToValue();
    if (is_id) {
      if (value.binary_subtype() != 4 || value.AsBytes().size() != kSessionIdBytes) {
        return Refuse(ErrorCode::kTypeMismatch,
                      fmt::format("BSON field '{}.id' must be a UUID of 16 bytes", field));
      }
      session = value.AsBytes();
    } else if (value.AsBytes() != digest) {
      return Refuse(ErrorCode::kUnauthorized,
                    "Unauthorized to set user digest in LogicalSessionId");
    }
  }
  if (session.empty()) {
    return Refuse(40414, fmt::format("BSON field '{}.id' is missing but a required field", field));
  }
  return session + digest;
}

Outcome AttachSession(const CommandEntry& entry, CommandContext& context) {
  const model::DocumentView body = context.body();
  const auto lsid = body.Find("lsid");
  if (lsid.has_value()) {
    if (lsid->kind() != model::Kind::kObject)
      return WrongType("OperationSessionInfo.lsid", *lsid, "object");
    MONGO_ASSIGN(context.session,
                 ReadSessionId(context, lsid->AsDocument(), "OperationSessionInfo.lsid"));
  }
  if (entry.action == Action::kRead) MONGO_TRY(CheckAfterClusterTime(context));
  MONGO_ASSIGN(context.transaction_call, ReadTransactionCall(entry, context));
  if (context.transaction_call.has_value()) return {};
  if (const auto number = body.Find("txnNumber")) MONGO_TRY(ReadNumber(entry, context, *number));
  if (context.session.empty() || entry.action == Action::kNothing) return {};
  return context.services.sessions.Use(context.session, context.retry.has_value()
                                                            ? std::optional(context.retry->number)
                                                            : std::nullopt);
}

Answer<std::vector<int32_t>> StatementNumbers(model::DocumentView body, size_t count) {
  const auto list = body.Find("stmtIds");
  const auto first = body.Find("stmtId");
  if (list.has_value() && first.has_value()) {
    return Refuse(ErrorCode::kInvalidOptions,
                  "May not specify both 'stmtId' and 'stmtIds' in a write command");
  }
  std::vector<int32_t> numbers;
  numbers.reserve(count);
  if (!list.has_value()) {
    int32_t base = 0;
    if (first.has_value()) {
      if (first->kind() != model::Kind::kInt32) return WrongType("stmtId", *first, "int");
      base = static_cast<int32_t>(first->AsInteger());
    }
    if (base < 0 || base > INT32_MAX - kWriteBatchMax)
      return Refuse(ErrorCode::kBadValue, "'stmtId' is out of range");
    for (size_t i = 0; i < count; ++i) numbers.push_back(base + static_cast<int32_t>(i));
    return numbers;
  }
  if (list->kind() != model::Kind::kArray) return WrongType("stmtIds", *list, "array");
  for (const model::ElementView number : list->AsDocument()) {
    if (number.kind() != model::Kind::kInt32) return WrongType("stmtIds", number, "int");
    if (number.AsInteger() < 0) return Refuse(ErrorCode::kBadValue, "'stmtIds' is out of range");
    numbers.push_back(static_cast<int32_t>(number.AsInteger()));
  }
  if (numbers.size() != count) {
    return Refuse(ErrorCode::kInvalidLength,
                  fmt::format("Number of statement ids must match the number of batch entries. Got "
                              "{} statement ids but {} operations.",
                              numbers.size(), count));
  }
  return numbers;
}

bool IsRetryableWriteError(const MongoError& error) {
  switch (static_cast<ErrorCode>(error.code)) {
    case ErrorCode::kHostUnreachable:
    case ErrorCode::kHostNotFound:
    case ErrorCode::kNetworkTimeout:
    case ErrorCode::kShutdownInProgress:
    case ErrorCode::kPrimarySteppedDown:
    case ErrorCode::kExceededTimeLimit:
    case ErrorCode::kNotWritablePrimary:
    case ErrorCode::kInterruptedAtShutdown:
    case ErrorCode::kInterruptedDueToReplStateChange:
      return true;
    default:
      return false;
  }
}

void EndCursors(const MongoServices& services, std::vector<std::string> sessions) {
  if (sessions.empty()) return;
  std::ranges::sort(sessions);
  services.cursors.KillIf([&](std::string_view owner) {
    return owner.size() > kSessionBytes &&
           std::ranges::binary_search(sessions, owner.substr(owner.size() - kSessionBytes));
  });
}

}  // namespace orrery::mongo
