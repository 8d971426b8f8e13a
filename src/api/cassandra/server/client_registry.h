// A ClientRegistry lists the connected clients, for system_views.clients.
//
// A session takes a place when it begins and gives it up when it ends; what it tells of itself can
// be read by anybody meanwhile. Thread-safe.
#pragma once

#include <atomic>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "api/cassandra/protocol/protocol_version.h"
#include "api/cassandra/protocol/request/request.h"
#include "api/cassandra/system/client_lister.h"
#include "base/mutex.h"

namespace orrery::cassandra {

class ClientRegistry final : public ClientLister {
 public:
  // One client's line. Must not outlive the registry.
  class Place {
   public:
    Place(ClientRegistry& registry, const InetEndpoint& address);
    ~Place();
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

    // STARTUP was accepted; `ready`: nobody asks for credentials.
    void Started(ProtocolVersion version, const StartupRequest& startup, bool ready);
    void LoggedIn(const std::string& user);
    void OverTls(std::string version, std::string cipher_suite);
    void CountRequest() { requests_.fetch_add(1, std::memory_order_relaxed); }

   private:
    friend class ClientRegistry;

    ClientRegistry& registry_;
    std::atomic<uint64_t> requests_{0};
    ClientFacts facts_;  // guarded by the registry's mutex
    std::list<Place*>::iterator self_;
  };

  std::vector<ClientFacts> ConnectedClients() const override EXCLUDES(mutex_);

 private:
  mutable Mutex mutex_;
  std::list<Place*> places_ GUARDED_BY(mutex_);
};

}  // namespace orrery::cassandra
