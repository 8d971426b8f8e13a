#include "api/mongo/executor/retry/target_program.h"

#include <fmt/format.h>

#include <utility>

#include "base/bytes.h"

namespace orrery::mongo {
namespace {

constexpr char kTargetTag = 't';
// More tries than a statement ever makes.
constexpr size_t kTargetsMax = 64;

void AppendTarget(model::DocumentBuilder& builder, const StatementTarget& target) {
  builder.OpenArray("k");
  for (size_t i = 0; i < target.partition_key.size(); ++i) {
    // A document without the field has the key undefined, which BSON arrays keep as it is.
    builder.Append(std::to_string(i), target.partition_key[i]);
  }
  builder.Close();
  if (target.row_key.has_value()) builder.Append("i", *target.row_key);
  if (target.insert.has_value()) builder.AppendDocument("d", *target.insert);
}

std::optional<StatementTarget> ReadTarget(model::DocumentView fields) {
  StatementTarget target;
  const auto key = fields.Find("k");
  if (!key.has_value() || key->kind() != model::Kind::kArray) return std::nullopt;
  for (const model::ElementView value : key->AsDocument())
    target.partition_key.push_back(value.ToValue());
  if (const auto row_key = fields.Find("i")) target.row_key = row_key->ToValue();
  if (const auto insert = fields.Find("d"); insert && insert->kind() == model::Kind::kObject)
    target.insert = model::Document::Trusted(std::string(insert->AsDocument().bson()));
  if (target.row_key.has_value() == target.insert.has_value()) return std::nullopt;
  return target;
}

std::unexpected<MongoError> Malformed() {
  return Refuse(ErrorCode::kInternalError, "the targets of a retryable write are damaged");
}

}  // namespace

TargetProgram::TargetProgram(RetryKey key, int32_t statement, size_t known,
                             std::optional<StatementTarget> next)
    : key_(std::move(key)), statement_(statement), known_(known), next_(std::move(next)) {
  name_ = std::string(1, kTargetTag) + key_.session;
  AppendBigEndian(name_, static_cast<uint32_t>(statement_));
}

gateway::KeyValues TargetProgram::HomeOf(const RetryKey& key, size_t paths) {
  std::string text = "orrery session ";
  for (const char byte : key.session) text += fmt::format("{:02x}", static_cast<uint8_t>(byte));
  return gateway::KeyValues(paths, model::Value::String(std::move(text)));
}

Answer<std::vector<StatementTarget>> TargetProgram::ReadTargets(std::string_view outcome) {
  const auto fields = model::DocumentView::FromBson(outcome);
  if (!fields.has_value()) return Malformed();
  if (const auto text = fields->Find("old"); text && text->kind() == model::Kind::kString)
    return Refuse(ErrorCode::kTransactionTooOld, std::string(text->AsString()));
  const auto list = fields->Find("g");
  if (!list.has_value() || list->kind() != model::Kind::kArray) return Malformed();
  std::vector<StatementTarget> targets;
  for (const model::ElementView entry : list->AsDocument()) {
    if (entry.kind() != model::Kind::kObject) return Malformed();
    auto target = ReadTarget(entry.AsDocument());
    if (!target.has_value()) return Malformed();
    targets.push_back(*std::move(target));
  }
  return targets;
}

Result<gateway::DocumentProgram::Decision> TargetProgram::Decide(
    std::span<const std::optional<item::CurrentDocument>> /*documents*/, Micros /*now*/) const {
  return Fail(Code::kInternal, "a target program needs the receipts");
}

Result<gateway::DocumentProgram::Decision> TargetProgram::DecideWithReceipts(
    std::span<const std::optional<item::CurrentDocument>> /*documents*/,
    std::span<const std::optional<std::string>> receipts, Micros /*now*/) const {
  std::vector<StatementTarget> targets;
  if (receipts.front().has_value()) {
    ORRERY_ASSIGN(const model::DocumentView receipt,
                  model::DocumentView::FromBson(*receipts.front()));
    const auto number = receipt.Find("t");
    if (!number.has_value() || number->kind() != model::Kind::kInt64)
      return Fail(Code::kCorruption, "the receipt of a retryable write is damaged");
    if (number->AsInteger() > key_.number) {
      model::DocumentBuilder old;
      old.AppendString("old",
                       TransactionTooOld(key_.session, key_.number, number->AsInteger()).message);
      return Decision{.operations = {}, .outcome = std::move(std::move(old).Finish()).Release()};
    }
    if (number->AsInteger() == key_.number) {
      auto read = ReadTargets(*receipts.front());
      if (!read.has_value()) return Fail(Code::kCorruption, read.error().message);
      targets = *std::move(read);
    }
  }
  const bool appends = next_.has_value() && targets.size() <= known_;
  if (appends) {
    if (targets.size() >= kTargetsMax) return Fail(Code::kTooLarge, "too many tries");
    targets.push_back(*next_);
  }
  model::DocumentBuilder made;
  made.AppendInt64("t", key_.number).OpenArray("g");
  for (size_t i = 0; i < targets.size(); ++i) {
    made.OpenObject(std::to_string(i));
    AppendTarget(made, targets[i]);
    made.Close();
  }
  made.Close();
  Decision decision;
  decision.outcome = std::move(std::move(made).Finish()).Release();
  if (appends) {
    decision.receipts.push_back(
        {.name = name_, .bytes = decision.outcome, .lifetime = kReceiptLifetime});
  }
  return decision;
}

std::string TargetProgram::Encode() const {
  model::DocumentBuilder builder;
  builder.Append("session", model::Value::Binary(key_.session)).AppendInt64("number", key_.number);
  builder.AppendInt32("statement", statement_).AppendInt64("known", static_cast<int64_t>(known_));
  if (next_.has_value()) {
    builder.OpenObject("next");
    AppendTarget(builder, *next_);
    builder.Close();
  }
  return std::move(std::move(builder).Finish()).Release();
}

void TargetProgram::Register(gateway::ProgramRegistry& registry) {
  registry.Add(
      std::string(kKind),
      [](const gateway::ContainerRef& /*container*/,
         std::string_view data) -> Result<std::shared_ptr<const gateway::DocumentProgram>> {
        ORRERY_ASSIGN(const model::DocumentView program, model::DocumentView::FromBson(data));
        const auto session = program.Find("session");
        const auto number = program.Find("number");
        const auto statement = program.Find("statement");
        const auto known = program.Find("known");
        const auto next = program.Find("next");
        std::optional<StatementTarget> target;
        if (next.has_value() && next->kind() == model::Kind::kObject)
          target = ReadTarget(next->AsDocument());
        const auto is = [](const std::optional<model::ElementView>& field, model::Kind kind) {
          return field.has_value() && field->kind() == kind;
        };
        if (!is(session, model::Kind::kBinary) || !is(number, model::Kind::kInt64) ||
            !is(statement, model::Kind::kInt32) || !is(known, model::Kind::kInt64) ||
            target.has_value() != next.has_value())
          return Fail(Code::kInvalidArgument, "a target program is malformed");
        return std::make_shared<const TargetProgram>(
            RetryKey{.session = session->ToValue().AsBytes(), .number = number->AsInteger()},
            static_cast<int32_t>(statement->AsInteger()), static_cast<size_t>(known->AsInteger()),
            std::move(target));
      });
}

}  // namespace orrery::mongo
