// A RowScanRun makes one page of rows out of several partitions, one after another in ring order.
//
// Another node's partition is read there, on that node's budget.
//
// Internal to gateway/; lives for one call, on one thread. What is given must outlive it.
#pragma once

#include <vector>

#include "gateway/metering.h"
#include "gateway/position/ring_pieces.h"
#include "gateway/row/row_requests.h"
#include "item/price_list.h"

namespace orrery::gateway {

class RemoteGateway;

// One partition's part of a page.
struct RowPieceAnswer {
  item::RowPage page;
  RequestUnits charge;
};

class RowScanRun {
 public:
  struct Parts {
    const ContainerEntry& container;
    const item::RowScanRequest& request;
    const Metering& metering;
    Micros now;
    storage::ReadMode mode;
    bool fan_out = false;             // the page asks several partitions, which has its price
    RemoteGateway* remote = nullptr;  // for pieces that are not open here
  };
  RowScanRun(const Parts& parts, std::vector<RingPiece> pieces, const item::PageLimits& limits);

  // The page, without its continuation. An error only when nothing could be read; kMoved when that
  // is because the topology is old.
  Result<RowScanResponse> Run();
  // Reads the next piece's part of the page.
  Result<RowPieceAnswer> ReadNext() const;
  // Returns what is left to scan after Run.
  std::vector<Continuation::Part> Left() const { return JoinPieces(pieces_, next_); }

 private:
  Result<RowPieceAnswer> ReadHere(const RingPiece& piece) const;
  Result<RowPieceAnswer> ReadRemotely(const RingPiece& piece) const;
  item::QueryWork WorkOf(const item::RowPage& page) const;
  RequestUnits PriceOf(const item::RowPage& page) const;

  const Parts parts_;
  std::vector<RingPiece> pieces_;
  size_t next_ = 0;        // the first piece that is not done
  item::PageLimits left_;  // of what the page may still have
};

}  // namespace orrery::gateway
