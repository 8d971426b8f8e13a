// Rows and changes of rows in messages between gateways.
//
//   changes  := n:number (clustering:bytes row:bytes)*n n:number range*n derived:bytes
//   range    := lower:bytes value:bytes        ; value: item/row/range_tombstones.h
//   deletion := timestamp:signed local:number
//
// Rows are in their stored form (model/row/row_codec.h), derived writes, none or more, in that of
// the outbox (item/outbox/derived_write_codec.h).
#pragma once

#include <string>

#include "gateway/remote/message.h"
#include "item/row/row_changes.h"
#include "model/row/row.h"

namespace orrery::gateway {

// Bytes that are an encoded row.
std::string ReadRowBytes(MessageReader& in);

void AppendChanges(MessageWriter& out, const item::RowChanges& changes);
// Rows and derived writes in it can be applied.
item::RowChanges ReadChanges(MessageReader& in);

void AppendDeletion(MessageWriter& out, const model::Deletion& deletion);
model::Deletion ReadDeletion(MessageReader& in);

}  // namespace orrery::gateway
