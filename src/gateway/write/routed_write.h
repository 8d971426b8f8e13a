// A write on its way to the partition that has its key: through the gate of its container, by one
// picture of the topology, on that partition's budget.
//
// The WriteRouter decides all of that, for documents, rows and derived writes alike; the
// WriteDispatcher (write_dispatcher.h) moves the transaction itself. Thread-safe.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "base/hash128.h"
#include "base/metrics.h"
#include "base/request_units.h"
#include "base/status.h"
#include "cluster/node.h"
#include "gateway/catalog/catalog.h"
#include "gateway/metering.h"
#include "partition/reservations.h"

namespace orrery::gateway {

// Stands for a write inside its container's gate; leaves it when it goes.
class WriteAdmission {
 public:
  // REQUIRES: the gate was entered.
  explicit WriteAdmission(ContainerRef container) : container_(std::move(container)) {}
  WriteAdmission(WriteAdmission&& other) noexcept = default;
  WriteAdmission& operator=(WriteAdmission&&) = delete;
  ~WriteAdmission() { Leave(); }

  // The container's settings, newest when the gate was entered. REQUIRES: not left.
  const ContainerEntry& container() const { return *container_; }
  void Leave() {
    if (container_ != nullptr) std::exchange(container_, nullptr)->gate->Leave();
  }

 private:
  ContainerRef container_;  // null when it has left, or was moved on
};

struct RoutedWrite {
  WriteAdmission admission;
  std::shared_ptr<const cluster::Topology> topology;
  cluster::HostedPartition* partition = nullptr;  // of that topology
  RequestUnits reserved;                          // of that partition's budget
  int moves = 0;
};

class WriteRouter {
 public:
  // Each retry meets a later topology, because that is published before a write is told that its
  // partition moved; so many in a row would take as many splits within one write.
  static constexpr int kMovesMax = 16;

  // All must outlive it.
  WriteRouter(const Catalog& catalog, const cluster::Node& node, const Metering& metering,
              MetricsRegistry& metrics, partition::Reservations& reservations);

  // The same with another metering.
  WriteRouter(const WriteRouter& other, const Metering& metering)
      : catalog_(other.catalog_),
        node_(other.node_),
        metering_(metering),
        reservations_(other.reservations_),
        moved_(other.moved_) {}

  // Of the open transactions of this process.
  partition::Reservations& reservations() const { return reservations_; }

  // kNotFound when the container was dropped.
  Result<WriteAdmission> Enter(ContainerRef container) const;

  // Routes and reserves. Without an estimate the write is owed: it is admitted whatever the budget,
  // which goes into debt for all that it will cost. kThrottled; kMoved when another node has the
  // partition; kNotFound when the container was dropped, kUnavailable when the node is stopping.
  Result<RoutedWrite> Admit(WriteAdmission admission, Hash128 hash,
                            std::optional<RequestUnits> estimate) const;

  // After the sequencer's kMoved: to the partition that has the key now. Errors as above, and
  // kUnavailable after kMovesMax. The former topology must be held until the call that said kMoved
  // is over.
  Status Reroute(RoutedWrite& routed, Hash128 hash) const;

  // Ends the routed write: charges the partition that it ended at, and leaves the gate.
  void End(RoutedWrite& routed, std::string_view partition_key, RequestUnits charge) const;

  // Why no partition has the container: it was dropped, the node is stopping, or behind (kMoved).
  Error Unroutable(const ContainerEntry& container) const;
  // Why the partition that has `hash` is not open here: kMoved when it is, or will be, on another
  // node; else as above.
  Error NotHere(const cluster::Topology& topology, const ContainerEntry& container,
                Hash128 hash) const;

 private:
  const Catalog& catalog_;
  const cluster::Node& node_;
  const Metering& metering_;
  partition::Reservations& reservations_;
  Counter& moved_;
};

}  // namespace orrery::gateway
