#include "api/cassandra/server/client_roster.h"

namespace orrery::cassandra {

ClientRoster::Place::Place(ClientRoster& roster, const InetEndpoint& address) : roster_(roster) {
  facts_.address = address;
  MutexLock lock(roster_.mutex_);
  roster_.places_.push_back(this);
  self_ = std::prev(roster_.places_.end());
}

ClientRoster::Place::~Place() {
  MutexLock lock(roster_.mutex_);
  roster_.places_.erase(self_);
}

void ClientRoster::Place::Started(ProtocolVersion version, const StartupRequest& startup,
                                  bool ready) {
  MutexLock lock(roster_.mutex_);
  facts_.protocol_version = VersionNumber(version);
  facts_.stage = ready ? ClientFacts::Stage::kReady : ClientFacts::Stage::kAuthenticating;
  for (const auto& [name, value] : startup.options)
    facts_.options.emplace(std::string(name), std::string(value));
}

void ClientRoster::Place::LoggedIn(const std::string& user) {
  MutexLock lock(roster_.mutex_);
  facts_.user = user;
  facts_.stage = ClientFacts::Stage::kReady;
}

void ClientRoster::Place::OverTls(std::string version, std::string cipher_suite) {
  MutexLock lock(roster_.mutex_);
  facts_.tls_protocol = std::move(version);
  facts_.tls_cipher_suite = std::move(cipher_suite);
}

std::vector<ClientFacts> ClientRoster::ConnectedClients() const {
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
