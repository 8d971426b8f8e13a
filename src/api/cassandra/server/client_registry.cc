#include "api/cassandra/server/client_registry.h"

namespace orrery::cassandra {

ClientRegistry::Place::Place(ClientRegistry& registry, const InetEndpoint& address)
    : registry_(registry) {
  facts_.address = address;
  MutexLock lock(registry_.mutex_);
  registry_.places_.push_back(this);
  self_ = std::prev(registry_.places_.end());
}

ClientRegistry::Place::~Place() {
  MutexLock lock(registry_.mutex_);
  registry_.places_.erase(self_);
}

void ClientRegistry::Place::Started(ProtocolVersion version, const StartupRequest& startup,
                                    bool ready) {
  MutexLock lock(registry_.mutex_);
  facts_.protocol_version = VersionNumber(version);
  facts_.stage = ready ? ClientFacts::Stage::kReady : ClientFacts::Stage::kAuthenticating;
  for (const auto& [name, value] : startup.options)
    facts_.options.emplace(std::string(name), std::string(value));
}

void ClientRegistry::Place::LoggedIn(const std::string& user) {
  MutexLock lock(registry_.mutex_);
  facts_.user = user;
  facts_.stage = ClientFacts::Stage::kReady;
}

void ClientRegistry::Place::OverTls(std::string version, std::string cipher_suite) {
  MutexLock lock(registry_.mutex_);
  facts_.tls_protocol = std::move(version);
  facts_.tls_cipher_suite = std::move(cipher_suite);
}

std::vector<ClientFacts> ClientRegistry::ConnectedClients() const {
  std::vector<ClientFacts> clients;
  MutexLock lock(mutex_);
  clients.reserve(places_.size());
  for (const Place* place : places_) {
    clients.push_back(place->facts_);
    clients.back().requests = place->requests_.load(std::memory_order_relaxed);
  }
  return clients;
}

}  // namespace orrery::cassandra
