// A program on its way to the partition's owner, and what came of it (kRunProgram).
//
//   call   := hash partition_key:bytes kind:bytes data:bytes    ; program/program_registry.h
//   answer := outcome:bytes response                            ; item_write_codec.h
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "gateway/account/key_maker.h"
#include "gateway/requests.h"

namespace orrery::gateway {

struct ProgramCall {
  RoutedKey key;
  std::string kind;
  std::string data;
};

std::string EncodeProgramCall(const ProgramCall& call);
Result<ProgramCall> DecodeProgramCall(std::string_view bytes);

std::string EncodeProgramAnswer(const WriteResponse& response);
Result<WriteResponse> DecodeProgramAnswer(std::string_view bytes);

}  // namespace orrery::gateway
