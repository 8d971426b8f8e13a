// A ScanRun makes one page of a scan out of several partitions, in ring order.
//
// Partitions are read in waves. A page begins with one partition; each wave that leaves room
// doubles the next, up to the spec's limit. So a page that one partition fills costs one read, a
// search through many sparse ones soon goes wide, and the same page always does the same work at
// the same price, however busy the pool is.
//
// Another node's partition is read there, on that node's budget: a page that is then not needed was
// paid for there all the same.
//
// Internal to gateway/; lives for one call, on one thread. What is given must outlive it.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/ids.h"
#include "base/status.h"
#include "base/thread_pool.h"
#include "cluster/topology.h"
#include "gateway/metering.h"
#include "gateway/position/ring_pieces.h"
#include "gateway/requests.h"
#include "item/price_list.h"
#include "item/read/reader.h"
#include "partition/limits.h"
#include "partition/map/hash_range.h"
#include "storage/iterator.h"

namespace orrery::gateway {

class CommitBarrier;
class PreparedTable;
class RemoteGateway;
class SnapshotTransaction;

// The ranges that a scan reads, and its request.
struct ScanTarget {
  partition::HashRange range;
  item::ScanRequest request;
  std::string key;         // encoded, whole or its first values; empty for all
  bool by_prefix = false;  // keys that do not begin with `key` may share the range
};
// kInvalidArgument for what only makes sense within one logical partition. Nothing when the key is
// not in the spec's range.
Result<std::optional<ScanTarget>> TargetOf(const item::ContainerSchema& schema,
                                           const ScanSpec& spec, const partition::Limits& limits);

// A page of one piece: `next` when the piece has more.
struct ScanPieceAnswer {
  ScanResponse page;
  std::optional<std::string> next;
};

// Returns whether a page may be read by whoever asks for it, event loops included, if it turns out
// to be small and all of it to be in memory.
bool MayBeReadAtOnce(const ScanSpec& spec);
// Returns whether that is likely, so that it is worth trying.
inline bool IsReadAtOnce(const ScanSpec& spec) {
  constexpr size_t kItemsMax = 128;
  return spec.limits.items_max <= kItemsMax && MayBeReadAtOnce(spec);
}

class ScanRun {
 public:
  struct Parts {
    const cluster::Topology& topology;
    const ContainerEntry& container;
    const ScanSpec& spec;
    const ScanTarget& target;
    const Metering& metering;
    ThreadPool& io_pool;
    Micros now;
    CommitBarrier& barrier;
    PreparedTable& prepared;
    // With kCachedOnly a page is what it would be with kMayBlock, or kWouldBlock.
    storage::ReadMode mode = storage::ReadMode::kMayBlock;
    RemoteGateway* remote = nullptr;        // for pieces that are not open here
    SnapshotTransaction* within = nullptr;  // whose view of partitions is read; null: the newest
  };
  ScanRun(const Parts& parts, std::vector<RingPiece> pieces);

  // Takes what the owner of the first piece has answered already. REQUIRES: before Run().
  void Give(Result<ScanPieceAnswer> first) { given_ = std::move(first); }
  // The page, without its continuation. An error only when not one partition could be read; kMoved
  // when that is because the topology is old.
  Result<ScanResponse> Run();
  // Returns what is left to scan after Run.
  std::vector<Continuation::Part> Left() const { return JoinPieces(pieces_, next_); }

 private:
  struct Reading {
    RingPiece* piece = nullptr;
    Result<item::Page> page;
    RequestUnits charge;
    Lsn position;         // before it was read
    std::string session;  // the same of a piece that is not open here
  };

  // Reserves for the next `count` pieces; returns for how many it was granted.
  size_t Admit(size_t count);
  std::vector<Reading> ReadWave(size_t count);
  // Reads those of the wave that other nodes have, and all others meanwhile by `read_here`.
  void ReadElsewhere(std::span<Reading* const> readings,
                     const std::function<void()>& read_here) const;
  static void Take(Result<ScanPieceAnswer> answer, Reading& reading);
  void Read(Reading& reading) const;
  Result<item::Page> ReadPiece(const RingPiece& piece) const;
  void ReadRemotely(Reading& reading) const;
  void Accept(Reading& reading);
  void Discard(const Reading& reading);
  item::QueryWork WorkOf(const item::Page& page) const;
  RequestUnits PriceOf(const item::Page& page) const;
  // Tells the request's trace, if it has one, what a reading that is on the page has cost.
  void Explain(const Reading& reading, const item::Page& page) const;

  item::PageLimits Room() const;
  // Returns whether there is no room left behind the page.
  bool FilledBy(const item::Page& page) const;
  bool Fits(const item::Page& page) const;
  bool Full() const;

  const Parts parts_;
  const bool fan_out_;
  const RequestUnits reserved_;
  item::PageLimits limits_;
  std::vector<RingPiece> pieces_;
  size_t next_ = 0;  // the first piece that is not done
  bool ended_ = false;
  Status refused_;
  size_t bytes_ = 0;
  std::optional<Result<ScanPieceAnswer>> given_;
  ScanResponse response_;
};

}  // namespace orrery::gateway
