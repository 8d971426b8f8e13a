#include "gateway/remote/codec/row_write_codec.h"

#include <utility>

#include "gateway/remote/codec/row_change_codec.h"
#include "gateway/remote/envelope.h"

namespace orrery::gateway {

std::string EncodeRowWrite(std::string_view partition_key, const item::RowChanges& changes,
                           WriteDebt debt, const Guard* guard) {
  MessageWriter out;
  out.Bytes(partition_key);
  out.Number(static_cast<uint64_t>(debt));
  AppendChanges(out, changes);
  out.Flag(guard != nullptr);
  if (guard != nullptr) AppendGuard(out, *guard);
  return std::move(out).Take();
}

Result<RowWrite> DecodeRowWrite(std::string_view bytes) {
  MessageReader in(bytes);
  RowWrite write;
  write.partition_key = in.String();
  write.debt = in.Choice(WriteDebt::kMaintainsViews);
  write.changes = ReadChanges(in);
  if (in.Flag()) write.guard = ReadGuard(in);
  ORRERY_TRY(in.End());
  return write;
}

std::string EncodeRowWriteAnswer(const RowWriteAnswer& answer) {
  MessageWriter out;
  AppendStatus(out, answer.status);
  out.Charge(answer.charge);
  out.Flag(answer.seen.has_value());
  if (answer.seen.has_value()) AppendSeen(out, *answer.seen);
  return std::move(out).Take();
}

Result<RowWriteAnswer> DecodeRowWriteAnswer(std::string_view bytes) {
  MessageReader in(bytes);
  RowWriteAnswer answer;
  answer.status = ReadStatus(in);
  answer.charge = in.Charge();
  if (in.Flag()) answer.seen = ReadSeen(in);
  ORRERY_TRY(in.End());
  return answer;
}

}  // namespace orrery::gateway
