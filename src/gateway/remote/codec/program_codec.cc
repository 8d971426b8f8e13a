#include "gateway/remote/codec/program_codec.h"

#include <utility>

#include "gateway/remote/codec/item_write_codec.h"
#include "gateway/remote/message.h"

namespace orrery::gateway {

std::string EncodeProgramCall(const ProgramCall& call) {
  MessageWriter out;
  out.Hash(call.key.hash);
  out.Bytes(call.key.encoded);
  out.Bytes(call.kind);
  out.Bytes(call.data);
  return std::move(out).Take();
}

Result<ProgramCall> DecodeProgramCall(std::string_view bytes) {
  MessageReader in(bytes);
  ProgramCall call;
  call.key.hash = in.Hash();
  call.key.encoded = ReadKey(in);
  call.kind = in.String();
  call.data = in.String();
  ORRERY_TRY(in.End());
  return call;
}

std::string EncodeProgramAnswer(const WriteResponse& response) {
  MessageWriter out;
  out.Bytes(response.outcome);
  return std::move(out).Take() + EncodeWriteResponse(response);
}

Result<WriteResponse> DecodeProgramAnswer(std::string_view bytes) {
  MessageReader in(bytes);
  std::string outcome = in.String();
  const std::string_view rest = in.Rest();
  ORRERY_TRY(in.End());
  ORRERY_ASSIGN(WriteResponse response, DecodeWriteResponse(rest));
  response.outcome = std::move(outcome);
  return response;
}

}  // namespace orrery::gateway
