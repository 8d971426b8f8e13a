// Messages that ask the owner of a partition for its part of a page of rows, of their change feed,
// or of an estimate (kScanRows, kReadRowFeed, kEstimateRows).
//
//   scan      := piece:range inner:maybe fan_out:flag partition_key:maybe hash lower:maybe
//                upper:maybe descending:flag per_partition:number (00 | 01 index:number
//                value:bytes) limits
//   answer    := charge next:maybe rows:number examined:number bytes:number n:number partition*n
//   partition := hash key:bytes static_row:bytes begins:flag ends:flag n:number row*n
//   row       := clustering:bytes row:bytes covering:deletion
//
//   feed      := place:feed key:maybe                         ; place: page_codec.h
//   answer    := position:number drained:flag examined:number bytes:number charge n:number entry*n
//   entry     := kind:number lsn:number time hash key:bytes clustering:bytes upper:maybe row:bytes
//                covering:deletion deletion
//
//   estimates := n:number (range bytes:number partitions:number)*n
//
// Rows are in their stored form and passed on as they are; whoever looks into one checks it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "gateway/remote/codec/page_codec.h"
#include "gateway/row/row_feed.h"
#include "gateway/row/row_requests.h"
#include "gateway/row/row_scan_run.h"

namespace orrery::gateway {

struct RowScanPiece {
  partition::HashRange range;        // of one physical partition
  std::optional<std::string> inner;  // where to go on in it
  bool fan_out = false;              // the page asks several partitions, which has its price
  item::RowScanRequest request;
  item::PageLimits limits;
};
std::string EncodeRowScanPiece(const RowScanPiece& piece);
Result<RowScanPiece> DecodeRowScanPiece(std::string_view bytes);
std::string EncodeRowScanAnswer(const RowPieceAnswer& answer);
Result<RowPieceAnswer> DecodeRowScanAnswer(std::string_view bytes);

struct RowFeedPiece {
  FeedPlace place;
  std::optional<std::string> key;  // encoded; none: all of the range
};
std::string EncodeRowFeedPiece(const RowFeedPiece& piece);
Result<RowFeedPiece> DecodeRowFeedPiece(std::string_view bytes);
std::string EncodeRowFeedAnswer(const RowFeedPieceAnswer& answer);
Result<RowFeedPieceAnswer> DecodeRowFeedAnswer(std::string_view bytes);

std::string EncodeEstimates(const std::vector<RowRangeEstimate>& estimates);
Result<std::vector<RowRangeEstimate>> DecodeEstimates(std::string_view bytes);

}  // namespace orrery::gateway
