#include "gateway/remote/codec/feed_piece_codec.h"

#include <utility>

#include "gateway/remote/codec/expression_codec.h"
#include "gateway/remote/message.h"

namespace orrery::gateway {
namespace {

void AppendEntry(MessageWriter& out, const item::FeedEntry& entry) {
  out.Number(entry.lsn.value());
  AppendItemKey(out, entry.key);
  out.Number(static_cast<uint64_t>(entry.kind));
  out.Flag(entry.by_expiry);
  out.Time(entry.time);
  out.Number(entry.previous_lsn.value());
  out.Flag(entry.document.has_value());
  if (entry.document.has_value()) out.Bytes(entry.document->bson());
  out.Flag(entry.before.has_value());
  if (entry.before.has_value()) out.Bytes(entry.before->bson());
  out.Bytes(entry.note);
  out.Number(entry.seq);
}

item::FeedEntry ReadFeedEntry(MessageReader& in) {
  item::FeedEntry entry;
  entry.lsn = Lsn(in.Number());
  entry.key = ReadItemKey(in);
  entry.kind = in.Choice(item::ChangeKind::kDelete);
  if (entry.kind < item::ChangeKind::kCreate) in.Refuse();
  entry.by_expiry = in.Flag();
  entry.time = in.Time();
  entry.previous_lsn = Lsn(in.Number());
  if (in.Flag()) entry.document = ReadDocument(in);
  if (in.Flag()) entry.before = ReadDocument(in);
  entry.note = in.String();
  entry.seq = static_cast<uint32_t>(in.Number());
  return entry;
}

}  // namespace

std::string EncodeFeedPiece(const FeedPiece& piece) {
  MessageWriter out;
  AppendFeedPlace(out, piece.place);
  out.Number(static_cast<uint64_t>(piece.mode));
  out.Bytes(piece.key);
  out.Flag(piece.filter != nullptr);
  if (piece.filter != nullptr) AppendExpression(out, *piece.filter);
  return std::move(out).Take();
}

Result<FeedPiece> DecodeFeedPiece(std::string_view bytes) {
  MessageReader in(bytes);
  FeedPiece piece;
  piece.place = ReadFeedPlace(in);
  piece.mode = in.Choice(item::FeedMode::kAllVersionsAndBefore);
  piece.key = in.String();
  if (in.Flag()) piece.filter = std::make_shared<model::Expression>(ReadExpression(in));
  ORRERY_TRY(in.End());
  return piece;
}

std::string EncodeFeedAnswer(const FeedPieceAnswer& answer) {
  MessageWriter out;
  out.Number(answer.page.position.value());
  out.Flag(answer.page.drained);
  out.Number(answer.page.examined);
  out.Time(answer.page.complete_until);
  out.Charge(answer.charge);
  out.Number(answer.page.entries.size());
  for (const item::FeedEntry& entry : answer.page.entries) AppendEntry(out, entry);
  return std::move(out).Take();
}

Result<FeedPieceAnswer> DecodeFeedAnswer(std::string_view bytes) {
  MessageReader in(bytes);
  FeedPieceAnswer answer;
  answer.page.position = Lsn(in.Number());
  answer.page.drained = in.Flag();
  answer.page.examined = in.Number();
  answer.page.complete_until = in.Time();
  answer.charge = in.Charge();
  const size_t count = in.Count();
  for (size_t i = 0; i < count && in.ok(); ++i) answer.page.entries.push_back(ReadFeedEntry(in));
  ORRERY_TRY(in.End());
  return answer;
}

}  // namespace orrery::gateway
