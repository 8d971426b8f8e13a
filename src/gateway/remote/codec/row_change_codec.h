// Rows and changes of rows in messages between gateways.
//
//   changes  := n:number (clustering:bytes row:bytes)*n n:number cleared*n followers:bytes
//   cleared  := lower:bytes value:bytes        ; value: item/row/cleared_ranges.h
//   deletion := timestamp:signed local:number
//
// Rows are in their stored form (model/row/row_codec.h), followers, none or more, in that of the
// outbox (item/outbox/follower_codec.h).
#pragma once

#include <string>

#include "gateway/remote/message.h"
#include "item/row/row_changes.h"
#include "model/row/row.h"

namespace orrery::gateway {

// Bytes that are an encoded row.
std::string ReadRowBytes(MessageReader& in);

void AppendChanges(MessageWriter& out, const item::RowChanges& changes);
// Rows and followers in it can be applied.
item::RowChanges ReadChanges(MessageReader& in);

void AppendDeletion(MessageWriter& out, const model::Deletion& deletion);
model::Deletion ReadDeletion(MessageReader& in);

}  // namespace orrery::gateway
