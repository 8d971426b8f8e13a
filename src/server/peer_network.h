// A PeerNetwork connects this node with the others of its cluster: cluster::Peers over net/rpc.
//
// Made in two steps, because the parts that offer methods also call those of others: once
// constructed it calls, after Listen() it is called. Who is where comes from whoever watches the
// cluster's members (Learn, Forget); a node that was not named is kMoved.
//
// Thread-safe. `done` of a call may run inside Call().
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include "base/clock.h"
#include "base/ids.h"
#include "base/metrics.h"
#include "base/mutex.h"
#include "base/status.h"
#include "cluster/peers.h"
#include "net/event_loops.h"
#include "net/http/url.h"
#include "net/rpc/rpc_client.h"
#include "net/rpc/rpc_server.h"
#include "net/tls/tls_identity.h"

namespace orrery::server {

// `identity` is this node's; it stands in both of the others, and so do address and callee in
// `client`.
struct PeerNetworkOptions {
  net::RpcIdentity identity;
  net::RpcServerOptions server{};
  net::RpcClientOptions client{};
};

class PeerNetwork final : public cluster::Peers {
 public:
  static constexpr size_t kNodesMax = 10'000;

  // All references must outlive it.
  PeerNetwork(net::EventLoops& loops, PeerNetworkOptions options, const net::TlsIdentity& tls,
              const Clock& clock, MetricsRegistry& metrics);
  ~PeerNetwork() override;  // calls Stop(0)

  // From now on other nodes reach `service`, which must live until Stop(). Errors as in
  // net::Listener::Open. Once only, from the thread that calls Stop().
  Status Listen(cluster::PeerService& service);
  // REQUIRES: Listen() succeeded.
  uint16_t port() const { return server_->port(); }

  // `node` is there, and no more where it may have been. kResourceExhausted: kNodesMax are known;
  // kUnavailable: stopped.
  Status Learn(NodeId node, net::HostPort address) EXCLUDES(mutex_);
  // Calls to it fail, those under way too.
  void Forget(NodeId node) EXCLUDES(mutex_);

  void Call(NodeId node, cluster::PeerMethod method, std::string request,
            std::chrono::milliseconds patience, Done done) override EXCLUDES(mutex_);

  // Lets requests of others be answered for `grace`, then ends all; calls of this node's own go on
  // until then. When it returns the service is called no more, and all calls have been answered.
  // Idempotent. REQUIRES: the loops still run. Not from a loop.
  void Stop(std::chrono::milliseconds grace) EXCLUDES(mutex_);

 private:
  class Adapter;
  using Clients = std::unordered_map<NodeId, std::shared_ptr<net::RpcClient>>;

  std::shared_ptr<net::RpcClient> Find(NodeId node) const EXCLUDES(mutex_);

  net::EventLoops& loops_;
  const PeerNetworkOptions options_;
  const net::TlsIdentity& tls_;
  const Clock& clock_;
  MetricsRegistry& metrics_;
  std::unique_ptr<Adapter> adapter_;
  std::unique_ptr<net::RpcServer> server_;  // uses the adapter

  mutable Mutex mutex_;
  Clients clients_ GUARDED_BY(mutex_);
  bool stopped_ GUARDED_BY(mutex_) = false;
};

}  // namespace orrery::server
