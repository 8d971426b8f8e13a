#include "api/mongo/executor/retry/retry_statements.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/bytes.h"
#include "base/check.h"
#include "gateway/account/base64.h"

namespace orrery::mongo {
namespace {

constexpr char kBlockTag = 'm';
constexpr char kAttemptTag = 'u';

std::string BlockName(const std::string& session, int32_t block) {
  std::string name(1, kBlockTag);
  name += session;
  AppendBigEndian(name, static_cast<uint32_t>(block));
  return name;
}

std::string AttemptName(const std::string& session, int32_t statement, int32_t attempt) {
  std::string name(1, kAttemptTag);
  name += session;
  AppendBigEndian(name, static_cast<uint32_t>(statement));
  AppendBigEndian(name, static_cast<uint32_t>(attempt));
  return name;
}

// Returns whether it is an insert of one document: most statements are such, and take few bytes.
bool IsPlainInsert(const WriteOutcome& outcome) {
  return outcome.matched == 1 && outcome.modified == 0 && !outcome.upserted.has_value() &&
         !outcome.before.has_value() && !outcome.after.has_value();
}

bool IsInteger(const std::optional<model::ElementView>& field) {
  return field.has_value() &&
         (field->kind() == model::Kind::kInt32 || field->kind() == model::Kind::kInt64);
}

std::unexpected<MongoError> Damaged() {
  return Refuse(ErrorCode::kInternalError, "the receipt of a retryable write is damaged");
}

}  // namespace

std::string SessionText(std::string_view session) {
  std::string text;
  for (size_t i = 0; i < std::min(session.size(), kSessionIdBytes); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", static_cast<uint8_t>(session[i]));
  }
  return fmt::format("{} - {} -  - ", text,
                     gateway::ToBase64(session.substr(std::min(session.size(), kSessionIdBytes))));
}

MongoError TransactionTooOld(std::string_view session, int64_t number, int64_t newer) {
  return {static_cast<int32_t>(ErrorCode::kTransactionTooOld),
          fmt::format("Retryable write with txnNumber {} is prohibited on session {} because a "
                      "newer transaction with txnNumber {} has already started on this session.",
                      number, SessionText(session), newer)};
}

RetryStatements::RetryStatements(RetryKey key, std::vector<int32_t> statements,
                                 std::optional<int32_t> attempt)
    : key_(std::move(key)), statements_(std::move(statements)), attempt_(attempt) {
  if (attempt_.has_value()) {
    ORRERY_CHECK(statements_.size() == 1);
    blocks_ = {0};
    names_ = {AttemptName(key_.session, statements_.front(), *attempt_)};
    return;
  }
  // Block 0 always: it has the newest number.
  blocks_ = {0};
  for (const int32_t statement : statements_) blocks_.push_back(statement / kBlockStatements);
  std::ranges::sort(blocks_);
  const auto repeated = std::ranges::unique(blocks_);
  blocks_.erase(repeated.begin(), repeated.end());
  for (const int32_t block : blocks_) names_.push_back(BlockName(key_.session, block));
}

size_t RetryStatements::BlockOf(int32_t statement) const {
  if (attempt_.has_value()) return 0;
  return static_cast<size_t>(std::ranges::lower_bound(blocks_, statement / kBlockStatements) -
                             blocks_.begin());
}

void RetryStatements::AppendTo(model::DocumentBuilder& program) const {
  program.OpenObject("retry").Append("session", model::Value::Binary(key_.session));
  program.AppendInt64("number", key_.number);
  if (attempt_.has_value()) program.AppendInt32("attempt", *attempt_);
  program.OpenArray("statements");
  for (size_t i = 0; i < statements_.size(); ++i)
    program.AppendInt32(std::to_string(i), statements_[i]);
  program.Close().Close();
}

Result<std::optional<RetryStatements>> RetryStatements::ReadFrom(model::DocumentView program) {
  const auto found = program.Find("retry");
  if (!found.has_value()) return std::nullopt;
  const Error malformed(Code::kInvalidArgument, "the statements of a program are malformed");
  if (found->kind() != model::Kind::kObject) return std::unexpected(malformed);
  const model::DocumentView retry = found->AsDocument();
  const auto session = retry.Find("session");
  const auto number = retry.Find("number");
  const auto list = retry.Find("statements");
  const auto attempt = retry.Find("attempt");
  if (!session || session->kind() != model::Kind::kBinary || !IsInteger(number) || !list ||
      list->kind() != model::Kind::kArray || (attempt.has_value() && !IsInteger(attempt)))
    return std::unexpected(malformed);
  RetryKey key{.session = session->ToValue().AsBytes(), .number = number->AsInteger()};
  std::vector<int32_t> statements;
  for (const model::ElementView statement : list->AsDocument()) {
    if (statement.kind() != model::Kind::kInt32 || statement.AsInteger() < 0)
      return std::unexpected(malformed);
    statements.push_back(static_cast<int32_t>(statement.AsInteger()));
  }
  if (key.session.size() != kSessionBytes || (attempt.has_value() && statements.size() != 1))
    return std::unexpected(malformed);
  std::optional<int32_t> tried;
  if (attempt.has_value()) tried = static_cast<int32_t>(attempt->AsInteger());
  return RetryStatements(std::move(key), std::move(statements), tried);
}

Answer<RetryLog> RetryLog::Open(const RetryStatements& statements,
                                std::span<const std::optional<std::string>> receipts) {
  ORRERY_CHECK(receipts.size() == statements.names_.size());
  RetryLog log(statements);
  log.blocks_.resize(receipts.size());
  for (size_t i = 0; i < receipts.size(); ++i) {
    if (!receipts[i].has_value()) continue;
    Block& block = log.blocks_[i];
    const auto receipt = model::DocumentView::FromBson(*receipts[i]);
    if (!receipt.has_value()) return Damaged();
    const auto number = receipt->Find("t");
    const auto list = receipt->Find("s");
    if (!IsInteger(number) || !list || list->kind() != model::Kind::kArray) return Damaged();
    block.number = number->AsInteger();
    const RetryKey& key = statements.key_;
    if (block.number > key.number)
      return std::unexpected(TransactionTooOld(key.session, key.number, block.number));
    if (block.number < key.number) continue;
    for (const model::ElementView entry : list->AsDocument()) {
      if (entry.kind() != model::Kind::kObject) return Damaged();
      const auto first = entry.AsDocument().Find("i");
      const auto count = entry.AsDocument().Find("c");
      const auto result = entry.AsDocument().Find("r");
      if (!IsInteger(first) || IsInteger(count) == result.has_value()) return Damaged();
      const auto statement = static_cast<int32_t>(first->AsInteger());
      if (result.has_value()) {
        if (result->kind() != model::Kind::kObject) return Damaged();
        auto outcome = WriteOutcome::Decode(result->AsDocument().bson());
        if (!outcome.has_value()) return Damaged();
        block.done.push_back({statement, *std::move(outcome)});
        continue;
      }
      if (count->AsInteger() > kBlockStatements) return Damaged();
      for (int32_t next = 0; next < count->AsInteger(); ++next)
        block.done.push_back({statement + next, WriteOutcome{.matched = 1}});
    }
  }
  return log;
}

const WriteOutcome* RetryLog::Find(size_t document) const {
  const int32_t statement = statements_.statements_[document];
  for (const Done& done : blocks_[statements_.BlockOf(statement)].done) {
    if (done.statement == statement) return &done.outcome;
  }
  return nullptr;
}

void RetryLog::Record(size_t document, WriteOutcome outcome) {
  const int32_t statement = statements_.statements_[document];
  Block& block = blocks_[statements_.BlockOf(statement)];
  block.done.push_back({statement, std::move(outcome)});
  block.is_changed = true;
  // The first says the newest number.
  if (blocks_.front().number != statements_.key_.number) blocks_.front().is_changed = true;
}

std::vector<item::Receipt> RetryLog::Take() {
  std::vector<item::Receipt> receipts;
  for (size_t i = 0; i < blocks_.size(); ++i) {
    Block& block = blocks_[i];
    if (!block.is_changed) continue;
    std::ranges::sort(block.done, {}, &Done::statement);
    model::DocumentBuilder receipt;
    receipt.AppendInt64("t", statements_.key_.number).OpenArray("s");
    size_t entries = 0;
    for (size_t at = 0; at < block.done.size();) {
      const Done& first = block.done[at];
      receipt.OpenObject(std::to_string(entries++)).AppendInt32("i", first.statement);
      int32_t count = 0;
      while (at < block.done.size() && block.done[at].statement == first.statement + count &&
             IsPlainInsert(block.done[at].outcome)) {
        ++count;
        ++at;
      }
      if (count > 0) {
        receipt.AppendInt32("c", count);
      } else {
        const std::string outcome = first.outcome.Encode();
        receipt.AppendDocument("r", model::DocumentView::Trusted(outcome));
        ++at;
      }
      receipt.Close();
    }
    receipt.Close();
    receipts.push_back({.name = statements_.names_[i],
                        .bytes = std::move(std::move(receipt).Finish()).Release(),
                        .lifetime = kReceiptLifetime});
  }
  return receipts;
}

}  // namespace orrery::mongo
