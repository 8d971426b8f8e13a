// A write of documents on its way to the partition's owner, and what came of it (kWriteItems).
//
//   write     := size:number hash partition_key:bytes n:number operation*n
//   operation := kind:number row_key:bytes has:number if_absent:flag [document] patch [condition]
//                [if_match:number] [written_at:time] [note:bytes]
//   has       := bits: 01 document, 02 condition, 04 if_match, 08 written_at, 10 note
//   answer    := status charge session:bytes (00 | 01 failed:number) n:number result*n
//   result    := kind:number lsn:number time charge (00 | 01 document)
//
// Keys travel encoded: where the request arrived they were made of values, checked and hashed.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "gateway/remote/message.h"
#include "gateway/requests.h"
#include "item/write/transaction.h"

namespace orrery::gateway {

struct ItemWrite {
  item::TransactionRequest transaction;  // without its schema, which is the owner's
  WriteSize size = WriteSize::kBatch;
};

std::string EncodeItemWrite(const item::TransactionRequest& transaction, WriteSize size);
// kInvalidArgument when the bytes are malformed, as all of this module.
Result<ItemWrite> DecodeItemWrite(std::string_view bytes);

// Reads an encoded key, and refuses one that cannot be decoded.
std::string ReadKey(MessageReader& in);

std::string EncodeWriteResponse(const WriteResponse& response);
Result<WriteResponse> DecodeWriteResponse(std::string_view bytes);

}  // namespace orrery::gateway
