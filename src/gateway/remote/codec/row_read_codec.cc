#include "gateway/remote/codec/row_read_codec.h"

#include <utility>

#include "gateway/remote/codec/row_change_codec.h"
#include "gateway/remote/message.h"

namespace orrery::gateway {

std::string EncodeRowRead(std::string_view partition_key, std::string_view clustering,
                          bool want_static_row) {
  MessageWriter out;
  out.Bytes(partition_key);
  out.Bytes(clustering);
  out.Flag(want_static_row);
  return std::move(out).Take();
}

Result<RowRead> DecodeRowRead(std::string_view bytes) {
  MessageReader in(bytes);
  RowRead read;
  read.partition_key = in.String();
  read.clustering = in.String();
  read.want_static_row = in.Flag();
  ORRERY_TRY(in.End());
  return read;
}

std::string EncodeRowReadResponse(const RowReadResponse& response) {
  MessageWriter out;
  out.Charge(response.charge);
  AppendDeletion(out, response.row.covering_deletion);
  out.Flag(response.row.row_visible);
  if (response.row.row_visible) out.Bytes(response.row.row());
  out.Flag(response.row.static_row_visible);
  if (response.row.static_row_visible) out.Bytes(response.row.static_row());
  return std::move(out).Take();
}

Result<RowReadResponse> DecodeRowReadResponse(std::string_view bytes) {
  MessageReader in(bytes);
  RowReadResponse response;
  response.charge = in.Charge();
  response.row.covering_deletion = ReadDeletion(in);
  response.row.row_visible = in.Flag();
  if (response.row.row_visible) response.row.row_pin.Assign(ReadRowBytes(in));
  response.row.static_row_visible = in.Flag();
  if (response.row.static_row_visible) response.row.static_row_pin.Assign(ReadRowBytes(in));
  ORRERY_TRY(in.End());
  return response;
}

}  // namespace orrery::gateway
