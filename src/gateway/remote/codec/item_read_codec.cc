#include "gateway/remote/codec/item_read_codec.h"

#include <memory>
#include <utility>

#include "gateway/remote/codec/page_codec.h"
#include "gateway/remote/envelope.h"
#include "gateway/remote/message.h"

namespace orrery::gateway {

std::string EncodeItemRead(const item::ItemKey& key, std::string_view session) {
  MessageWriter out;
  AppendItemKey(out, key);
  out.Bytes(session);
  return std::move(out).Take();
}

Result<ItemRead> DecodeItemRead(std::string_view bytes) {
  MessageReader in(bytes);
  ItemRead read;
  read.key = ReadItemKey(in);
  read.session = in.String();
  ORRERY_TRY(in.End());
  return read;
}

std::string EncodeReadResponse(const ReadResponse& response) {
  MessageWriter out;
  AppendStatus(out, response.status);
  out.Charge(response.charge);
  out.Bytes(response.session);
  if (!response.status.has_value()) return std::move(out).Take();
  out.Number(response.item.lsn.value());
  out.Time(response.item.time);
  out.Flag(response.item.expiry.has_value());
  if (response.item.expiry.has_value()) out.Time(*response.item.expiry);
  out.Bytes(response.item.document.bson());
  return std::move(out).Take();
}

Result<ReadResponse> DecodeReadResponse(std::string bytes) {
  const auto kept = std::make_shared<const std::string>(std::move(bytes));
  MessageReader in(*kept);
  ReadResponse response;
  response.status = ReadStatus(in);
  response.charge = in.Charge();
  response.session = in.String();
  if (response.status.has_value()) {
    response.item.lsn = Lsn(in.Number());
    response.item.time = in.Time();
    if (in.Flag()) response.item.expiry = in.Time();
    const auto document = model::DocumentView::FromBson(in.Bytes());
    if (document.has_value()) {
      response.item.document = *document;
    } else {
      in.Refuse();
    }
    response.keeper = kept;
  }
  ORRERY_TRY(in.End());
  return response;
}

}  // namespace orrery::gateway
