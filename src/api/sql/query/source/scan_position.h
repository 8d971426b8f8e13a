// A ScanPosition says which document of a scan a query has come to.
//
// It names the document's place on the ring and in the index, no partition: so another run finds it
// again after splits and merges, whether or not the document is still there.
//
//   position := resume:uint8 value:bytes hash16 partition_key:bytes row_key:bytes
//   resume   := 00 behind the document | 01 with it
//   bytes    := length:varint data
#pragma once

#include <string>
#include <string_view>

#include "api/sql/query/source/document_source.h"
#include "gateway/requests.h"

namespace orrery::sql {

struct ScanPosition {
  DocumentSource::Resume resume = DocumentSource::Resume::kBehind;
  std::string value;  // encoded, as the index has it; empty where no index is read
  item::ItemKey key;
};

std::string EncodePosition(const ScanPosition& position);
// kInvalidArgument when the bytes are none that EncodePosition writes.
Result<ScanPosition> DecodePosition(std::string_view bytes);

// Bytes that order documents as the ring does.
std::string RingOrder(const item::ItemKey& key);
// As their rids do.
std::string RidOrder(const item::ItemKey& key);
// The part of the ring around `place` whose documents are by rid in another order than on the ring.
partition::HashRange RidBucket(Hash128 place);

}  // namespace orrery::sql
