#include "gateway/remote/codec/transaction_codec.h"

#include <utility>

#include "gateway/remote/envelope.h"
#include "gateway/remote/message.h"

namespace orrery::gateway {
namespace {

constexpr auto kLastFailure = TransactionFailure::kElsewhere;

void AppendId(MessageWriter& out, const TransactionId& id) {
  out.Number(id.node.value());
  out.Number(id.number);
}

TransactionId ReadId(MessageReader& in) {
  TransactionId id;
  id.node = NodeId(in.Number());
  id.number = in.Number();
  return id;
}

}  // namespace

std::string EncodeWithin(const TransactionId& id, cluster::PeerMethod method,
                         std::string_view body) {
  MessageWriter out;
  AppendId(out, id);
  out.Number(static_cast<uint64_t>(method));
  std::string message = std::move(out).Take();
  message.append(body);
  return message;
}

Result<WithinHead> DecodeWithin(std::string_view bytes) {
  MessageReader in(bytes);
  WithinHead head;
  head.id = ReadId(in);
  head.method = static_cast<cluster::PeerMethod>(in.Number(UINT16_MAX));
  head.body = in.Rest();
  ORRERY_TRY(in.End());
  return head;
}

std::string EncodeWithinAnswer(TransactionFailure failure, std::string_view wrapped) {
  MessageWriter out;
  out.Number(static_cast<uint64_t>(failure));
  std::string message = std::move(out).Take();
  message.append(wrapped);
  return message;
}

Result<WithinAnswer> DecodeWithinAnswer(std::string_view bytes) {
  MessageReader in(bytes);
  WithinAnswer answer;
  answer.failure = in.Choice(kLastFailure);
  answer.wrapped = in.Rest();
  ORRERY_TRY(in.End());
  return answer;
}

std::string EncodeBegin(const BranchBegin& begin) {
  MessageWriter out;
  out.Number(static_cast<uint64_t>(begin.step));
  AppendId(out, begin.id);
  out.Time(begin.time);
  return std::move(out).Take();
}

Result<BranchBegin> DecodeBegin(std::string_view bytes) {
  MessageReader in(bytes);
  BranchBegin begin;
  begin.step = in.Choice(BranchBegin::Step::kTake);
  begin.id = ReadId(in);
  begin.time = in.Time();
  ORRERY_TRY(in.End());
  return begin;
}

std::string EncodeBegun(const BranchBegun& begun) {
  MessageWriter out;
  out.Time(begun.latest);
  out.Flag(begun.fits);
  return std::move(out).Take();
}

Result<BranchBegun> DecodeBegun(std::string_view bytes) {
  MessageReader in(bytes);
  BranchBegun begun;
  begun.latest = in.Time();
  begun.fits = in.Flag();
  ORRERY_TRY(in.End());
  return begun;
}

std::string EncodeEnd(const BranchEnd& end) {
  MessageWriter out;
  out.Number(static_cast<uint64_t>(end.act));
  AppendId(out, end.id);
  out.Time(end.deadline);
  out.Bytes(end.receipt);
  out.Bytes(end.value);
  return std::move(out).Take();
}

Result<BranchEnd> DecodeEnd(std::string_view bytes) {
  MessageReader in(bytes);
  BranchEnd end;
  end.act = in.Choice(BranchEnd::Act::kCommit);
  end.id = ReadId(in);
  end.deadline = in.Time();
  end.receipt = in.String();
  end.value = in.String();
  ORRERY_TRY(in.End());
  return end;
}

std::string EncodeEnded(const BranchEnded& ended) {
  MessageWriter out;
  out.Number(static_cast<uint64_t>(ended.failure));
  AppendStatus(out, ended.status);
  return std::move(out).Take();
}

Result<BranchEnded> DecodeEnded(std::string_view bytes) {
  MessageReader in(bytes);
  BranchEnded ended;
  ended.failure = in.Choice(kLastFailure);
  ended.status = ReadStatus(in);
  ORRERY_TRY(in.End());
  return ended;
}

std::string EncodeReceiptQuestion(const ReceiptQuestion& question) {
  MessageWriter out;
  out.Bytes(question.name);
  out.Bytes(question.value);
  return std::move(out).Take();
}

Result<ReceiptQuestion> DecodeReceiptQuestion(std::string_view bytes) {
  MessageReader in(bytes);
  ReceiptQuestion question;
  question.name = in.String();
  question.value = in.String();
  ORRERY_TRY(in.End());
  return question;
}

std::string EncodeReceiptAnswer(const ReceiptAnswer& answer) {
  MessageWriter out;
  out.Flag(answer.found);
  out.Number(answer.looked.size());
  for (const PartitionId id : answer.looked) out.Number(id.value());
  return std::move(out).Take();
}

Result<ReceiptAnswer> DecodeReceiptAnswer(std::string_view bytes) {
  MessageReader in(bytes);
  ReceiptAnswer answer;
  answer.found = in.Flag();
  for (size_t left = in.Count(); left > 0; --left) answer.looked.emplace_back(in.Number());
  ORRERY_TRY(in.End());
  return answer;
}

std::string EncodeNumbers(const std::vector<uint64_t>& numbers) {
  MessageWriter out;
  out.Number(numbers.size());
  for (const uint64_t number : numbers) out.Number(number);
  return std::move(out).Take();
}

Result<std::vector<uint64_t>> DecodeNumbers(std::string_view bytes) {
  MessageReader in(bytes);
  std::vector<uint64_t> numbers;
  for (size_t left = in.Count(); left > 0; --left) numbers.push_back(in.Number());
  ORRERY_TRY(in.End());
  return numbers;
}

}  // namespace orrery::gateway
