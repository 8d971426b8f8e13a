#include "gateway/remote/codec/row_read_codec.h"

#include <utility>

#include "gateway/remote/codec/row_change_codec.h"
#include "gateway/remote/message.h"

namespace orrery::gateway {

std::string EncodeRowRead(std::string_view partition_key, std::string_view clustering,
                          bool want_head) {
  MessageWriter out;
  out.Bytes(partition_key);
  out.Bytes(clustering);
  out.Flag(want_head);
  return std::move(out).Take();
}

Result<RowRead> DecodeRowRead(std::string_view bytes) {
  MessageReader in(bytes);
  RowRead read;
  read.partition_key = in.String();
  read.clustering = in.String();
  read.want_head = in.Flag();
  ORRERY_TRY(in.End());
  return read;
}

std::string EncodeRowReadResponse(const RowReadResponse& response) {
  MessageWriter out;
  out.Charge(response.charge);
  AppendDeletion(out, response.row.shadow);
  out.Flag(response.row.row_visible);
  if (response.row.row_visible) out.Bytes(response.row.row());
  out.Flag(response.row.head_visible);
  if (response.row.head_visible) out.Bytes(response.row.head());
  return std::move(out).Take();
}

Result<RowReadResponse> DecodeRowReadResponse(std::string_view bytes) {
  MessageReader in(bytes);
  RowReadResponse response;
  response.charge = in.Charge();
  response.row.shadow = ReadDeletion(in);
  response.row.row_visible = in.Flag();
  if (response.row.row_visible) response.row.row_pin.Assign(ReadRowBytes(in));
  response.row.head_visible = in.Flag();
  if (response.row.head_visible) response.row.head_pin.Assign(ReadRowBytes(in));
  ORRERY_TRY(in.End());
  return response;
}

}  // namespace orrery::gateway
