// Steps of an index build at a partition's owner (kBuildIndex, kDropIndex).
//
//   build  := piece:range inner:maybe n:number index:number*n   ; of rows: which indexes
//   answer := items:number next:maybe conflict:bytes
//   drop   := piece:range index:number                          ; its answer is empty
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "gateway/index_batch.h"
#include "item/layout/key_layout.h"
#include "partition/map/hash_range.h"

namespace orrery::gateway {

struct IndexPiece {
  partition::HashRange range;        // of one physical partition
  std::optional<std::string> inner;  // where to go on in it
  std::vector<uint32_t> rows;
};
std::string EncodeIndexPiece(const IndexPiece& piece);
Result<IndexPiece> DecodeIndexPiece(std::string_view bytes);
std::string EncodeIndexBatch(const IndexBatch& batch);
Result<IndexBatch> DecodeIndexBatch(std::string_view bytes);

struct IndexDrop {
  partition::HashRange range;
  item::IndexId index;
};
std::string EncodeIndexDrop(const IndexDrop& drop);
Result<IndexDrop> DecodeIndexDrop(std::string_view bytes);

}  // namespace orrery::gateway
