// A ScanPosition says which document of a scan a query has come to.
//
// It names the document's position on the ring and in the index, no partition: so another run finds
// it again after splits and merges, whether or not the document is still there.
//
//   position := resume:uint8 value:bytes hash16 partition_key:bytes row_key:bytes
//             | 02 scan:varint continuation      ; within documents that are one group
//   scan     := the number among the scans that find the documents
//   resume   := 00 behind the document | 01 with it
//   bytes    := length:varint data
#pragma once

#include <string>
#include <string_view>

#include "gateway/requests.h"
#include "query/source/document_source.h"

namespace orrery::query {

struct ScanPosition {
  DocumentSource::Resume resume = DocumentSource::Resume::kBehind;
  std::string value;  // encoded, as the index has it; empty where no index is read
  item::ItemKey key;
};

std::string EncodePosition(const ScanPosition& position);
// kInvalidArgument when the bytes are none that EncodePosition writes.
Result<ScanPosition> DecodePosition(std::string_view bytes);

// The first byte of a position within documents that are one group.
inline constexpr char kGroupPosition = 2;
inline bool IsGroupPosition(std::string_view bytes) { return bytes.starts_with(kGroupPosition); }

// Bytes that order documents as the ring does.
std::string RingOrder(const item::ItemKey& key);

}  // namespace orrery::query
