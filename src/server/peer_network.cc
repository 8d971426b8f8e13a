#include "server/peer_network.h"

#include <fmt/format.h>

#include <latch>
#include <utility>

namespace orrery::server {
namespace {

PeerNetworkOptions WithOneIdentity(PeerNetworkOptions options) {
  options.server.identity = options.identity;
  options.client.identity = options.identity;
  return options;
}

}  // namespace

// Requests of the transport as those of the service.
class PeerNetwork::Adapter final : public net::RpcHandler {
 public:
  explicit Adapter(cluster::PeerService& service) : service_(service) {}
  void Serve(NodeId caller, uint16_t method, std::string request, Answer answer) override {
    service_.Serve(caller, static_cast<cluster::PeerMethod>(method), std::move(request),
                   std::move(answer));
  }

 private:
  cluster::PeerService& service_;
};

PeerNetwork::PeerNetwork(net::EventLoops& loops, PeerNetworkOptions options,
                         const net::TlsIdentity& tls, const Clock& clock, MetricsRegistry& metrics)
    : loops_(loops),
      options_(WithOneIdentity(std::move(options))),
      tls_(tls),
      clock_(clock),
      metrics_(metrics) {}

PeerNetwork::~PeerNetwork() { Stop(std::chrono::milliseconds(0)); }

Status PeerNetwork::Listen(cluster::PeerService& service) {
  adapter_ = std::make_unique<Adapter>(service);
  ORRERY_ASSIGN(server_,
                net::RpcServer::Start(loops_, options_.server, tls_, clock_, metrics_, *adapter_));
  return {};
}

Status PeerNetwork::Learn(NodeId node, net::HostPort address) {
  if (const auto known = Find(node)) {
    known->MoveTo(std::move(address));
    return {};
  }
  net::RpcClientOptions options = options_.client;
  options.callee = node;
  options.address = address;
  auto client = std::make_shared<net::RpcClient>(loops_, node.value() % loops_.size(),
                                                 std::move(options), clock_);
  MutexLock lock(mutex_);
  if (stopped_) return Fail(Code::kUnavailable, "this node is stopping");
  if (clients_.size() >= kNodesMax) {
    return Fail(Code::kResourceExhausted,
                fmt::format("a node can know at most {} others", kNodesMax));
  }
  const auto [entry, is_new] = clients_.emplace(node, std::move(client));
  if (!is_new) entry->second->MoveTo(std::move(address));
  return {};
}

void PeerNetwork::Forget(NodeId node) {
  Clients::node_type forgotten;  // closes its client outside the lock
  MutexLock lock(mutex_);
  forgotten = clients_.extract(node);
}

void PeerNetwork::Call(NodeId node, cluster::PeerMethod method, std::string request,
                       std::chrono::milliseconds patience, Done done) {
  const auto client = Find(node);
  if (client == nullptr) {
    return done(
        Fail(Code::kMoved, fmt::format("the address of node {} is not known", node.value())));
  }
  client->Call(std::to_underlying(method), std::move(request), patience, std::move(done));
}

void PeerNetwork::Stop(std::chrono::milliseconds grace) {
  if (server_ != nullptr) server_->Stop(grace);
  Clients clients;
  {
    MutexLock lock(mutex_);
    if (std::exchange(stopped_, true)) return;
    clients.swap(clients_);
  }
  for (const auto& [node, client] : clients) client->Close();
  // Behind the closing of all clients, those that were forgotten before included.
  std::latch closed(static_cast<std::ptrdiff_t>(loops_.size()));
  for (size_t i = 0; i < loops_.size(); ++i) loops_.Post(i, [&closed] { closed.count_down(); });
  closed.wait();
}

std::shared_ptr<net::RpcClient> PeerNetwork::Find(NodeId node) const {
  MutexLock lock(mutex_);
  const auto found = clients_.find(node);
  return found != clients_.end() ? found->second : nullptr;
}

}  // namespace orrery::server
