#include "net/client_budget.h"

#include <algorithm>
#include <utility>

namespace orrery::net {
namespace {

constexpr size_t kConnectionsMin = 8;
constexpr ByteBudget::Steps kConnectionSteps{.kept_bytes = 8 << 10, .block_bytes = 16 << 10};

// One client may have all addresses of a network of 64 bits.
ClientBudget::Address WhoseAddress(ClientBudget::Address address) {
  const bool is_v4 =
      std::all_of(address.begin(), address.begin() + 10, [](uint8_t byte) { return byte == 0; }) &&
      address[10] == 0xff && address[11] == 0xff;
  if (!is_v4) std::fill(address.begin() + 8, address.end(), uint8_t{0});
  return address;
}

}  // namespace

ClientLimits ClientLimits::ForOpenFiles(size_t files_max) {
  ClientLimits limits;
  limits.connections_max = std::max(files_max / 3, kConnectionsMin);
  limits.connections_of_address_max = limits.connections_max / 2;
  return limits;
}

std::optional<ClientBudget::Place> ClientBudget::Admit(const Address& address, size_t reserve) {
  const Address whose = WhoseAddress(address);
  MutexLock lock(mutex_);
  auto& share = shares_[whose];
  if (share == nullptr) share = std::make_shared<Share>(limits_, bytes_);
  const size_t all = connections_.load(std::memory_order_relaxed);
  const size_t same = share->connections.load(std::memory_order_relaxed);
  if (all >= limits_.connections_max + reserve ||
      same >= limits_.connections_of_address_max + reserve) {
    if (same == 0) shares_.erase(whose);
    return std::nullopt;
  }
  connections_.fetch_add(1, std::memory_order_relaxed);
  share->connections.fetch_add(1, std::memory_order_relaxed);
  const bool is_reserve =
      all >= limits_.connections_max || same >= limits_.connections_of_address_max;
  return std::optional<Place>(std::in_place, shared_from_this(), whose, share, is_reserve);
}

std::shared_ptr<ByteBudget> ClientBudget::OfConnection(std::shared_ptr<ByteBudget> address,
                                                       std::shared_ptr<ByteBudget> server) {
  if (address == nullptr) return server;
  return std::make_shared<ByteBudget>(SIZE_MAX, std::move(address), std::move(server),
                                      kConnectionSteps);
}

void ClientBudget::Forget(const Address& address) {
  MutexLock lock(mutex_);
  const auto found = shares_.find(address);
  if (found == shares_.end()) return;
  connections_.fetch_sub(1, std::memory_order_relaxed);
  if (found->second->connections.fetch_sub(1, std::memory_order_relaxed) == 1) shares_.erase(found);
}

bool ClientBudget::MayWarn(std::chrono::steady_clock::time_point now) {
  const int64_t now_s =
      std::chrono::duration_cast<std::chrono::seconds>(now.time_since_epoch()).count();
  int64_t warned_s = warned_s_.load(std::memory_order_relaxed);
  if (warned_s >= 0 && now_s - warned_s < 60) return false;
  return warned_s_.compare_exchange_strong(warned_s, now_s, std::memory_order_relaxed);
}

bool ClientBudget::Place::crowded() const {
  if (budget_ == nullptr) return false;
  const ClientLimits& limits = budget_->limits_;
  return IsNearly(budget_->connections(), limits.connections_max) ||
         IsNearly(share_->connections.load(std::memory_order_relaxed),
                  limits.connections_of_address_max);
}

void ClientBudget::Place::GiveBack() {
  if (const auto budget = std::exchange(budget_, nullptr)) budget->Forget(address_);
}

}  // namespace orrery::net
