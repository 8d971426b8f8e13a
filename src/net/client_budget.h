// A ClientBudget bounds what the clients of all listeners of a server hold together: connections,
// and bytes of requests and of answers that they have not read. One remote address has at most a
// share of each, so that whoever takes all that it can get leaves something to the others; an IPv6
// client's address is its network of 64 bits.
//
// When connections become scarce, those give way that have waited longest for their client
// (stream_set.h); when bytes do, clients that do not read their answers.
//
// Thread-safe. Shared by the listeners; places keep what they need of it alive.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>

#include "base/byte_budget.h"
#include "base/mutex.h"

namespace orrery::net {

struct ClientLimits {
  size_t connections_max = 100'000;
  size_t connections_of_address_max = 50'000;
  size_t bytes_max = size_t{384} << 20;
  size_t bytes_of_address_max = size_t{192} << 20;

  // Returns what a process with so many open files can have: a third of them for connections, half
  // of which one address may take.
  static ClientLimits ForOpenFiles(size_t files_max);
};

class ClientBudget : public std::enable_shared_from_this<ClientBudget> {
 public:
  // An IP address in network order; IPv4 as ::ffff:a.b.c.d.
  using Address = std::array<uint8_t, 16>;

  class Place;

  explicit ClientBudget(const ClientLimits& limits)
      : limits_(limits), bytes_(std::make_shared<ByteBudget>(limits.bytes_max)) {}

  // Returns a place for one connection, or nullopt when all or all of its address are taken.
  // `reserve` more may be had than there are: for a port that must answer even then.
  std::optional<Place> Admit(const Address& address, size_t reserve = 0) EXCLUDES(mutex_);

  // Returns the budget of one connection: a part of its address's, which may be null, and of its
  // server's. Of its address's it has some KB from its beginning to its end, for what a connection
  // takes by itself, and takes more in blocks, so that small requests of connections that have
  // nothing to do with each other do not touch the same counters.
  static std::shared_ptr<ByteBudget> OfConnection(std::shared_ptr<ByteBudget> address,
                                                  std::shared_ptr<ByteBudget> server);

  // Returns true once a minute, to whoever asks first: connections are being refused or hurried,
  // and the log should say so.
  bool MayWarn(std::chrono::steady_clock::time_point now);

  const ClientLimits& limits() const { return limits_; }
  size_t connections() const { return connections_.load(std::memory_order_relaxed); }
  // The bytes of all clients, for whoever counts something of theirs elsewhere.
  const std::shared_ptr<ByteBudget>& bytes() const { return bytes_; }

 private:
  struct Share;

  // More than seven eighths are taken.
  static bool IsNearly(size_t taken, size_t max) { return taken * 8 > max * 7; }
  void Forget(const Address& address) EXCLUDES(mutex_);

  const ClientLimits limits_;
  const std::shared_ptr<ByteBudget> bytes_;
  std::atomic<size_t> connections_ = 0;
  std::atomic<int64_t> warned_s_ = -1;

  Mutex mutex_;
  std::map<Address, std::shared_ptr<Share>> shares_ GUARDED_BY(mutex_);
};

// The connections and bytes of one address.
struct ClientBudget::Share {
  Share(const ClientLimits& limits, const std::shared_ptr<ByteBudget>& all)
      : bytes(std::make_shared<ByteBudget>(limits.bytes_of_address_max, all, nullptr,
                                           ByteBudget::Steps{})) {}

  std::atomic<size_t> connections = 0;
  const std::shared_ptr<ByteBudget> bytes;
};

// A Place is one connection's; its destructor gives it back. Move-only, not thread-safe.
class ClientBudget::Place {
 public:
  Place(std::shared_ptr<ClientBudget> budget, const Address& address, std::shared_ptr<Share> share,
        bool is_reserve)
      : budget_(std::move(budget)),
        address_(address),
        share_(std::move(share)),
        is_reserve_(is_reserve) {}
  Place(Place&&) noexcept = default;
  Place& operator=(Place&&) = delete;
  ~Place() { GiveBack(); }

  // Returns whether it is one of those that were had beyond the limit: such a connection should
  // end with its first answer.
  bool is_reserve() const { return is_reserve_; }
  // Returns whether places of all or of this address are scarce.
  bool crowded() const;
  // Gives the place to others, though the connection is still about to end.
  void GiveBack();
  // The bytes of the connection's address.
  const std::shared_ptr<ByteBudget>& bytes() const { return share_->bytes; }

 private:
  std::shared_ptr<ClientBudget> budget_;  // null: given back
  Address address_;
  std::shared_ptr<Share> share_;
  bool is_reserve_;
};

}  // namespace orrery::net
