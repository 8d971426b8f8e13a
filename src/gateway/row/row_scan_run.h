// A RowScanRun makes one page of rows out of several partitions, one after another in ring order.
//
// Internal to gateway/; lives for one call, on one thread. What is given must outlive it.
#pragma once

#include <vector>

#include "gateway/metering.h"
#include "gateway/position/ring_pieces.h"
#include "gateway/row/row_requests.h"

namespace orrery::gateway {

class RowScanRun {
 public:
  struct Parts {
    const ContainerEntry& container;
    const cluster::Topology& topology;
    const item::RowScanRequest& request;
    const Metering& metering;
    Micros now;
    storage::ReadMode mode;
  };
  RowScanRun(const Parts& parts, std::vector<RingPiece> pieces, const item::PageLimits& limits);

  // The page, without its continuation. An error only when nothing could be read.
  Result<RowScanResponse> Run();
  // What is left to scan after Run.
  std::vector<Continuation::Part> Left() const { return JoinPieces(pieces_, next_); }

 private:
  Result<item::RowPage> ReadPiece(const RingPiece& piece) const;
  RequestUnits PriceOf(const item::RowPage& page) const;

  const Parts parts_;
  const bool fan_out_;
  std::vector<RingPiece> pieces_;
  size_t next_ = 0;        // the first piece that is not done
  item::PageLimits left_;  // of what the page may still have
};

}  // namespace orrery::gateway
