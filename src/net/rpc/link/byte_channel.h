// The bytes of a connection between two nodes, as handshake and link see them, whichever end this
// is: an accepted Stream (stream_channel.h) or a socket that this node dialed (dialed_socket.h).
//
// One read and one write may be under way at the same time. Lives on one event loop; only that
// loop's thread may touch it.
// Includes Asio: for code under net/.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <functional>
#include <span>
#include <string_view>

#include "base/status.h"

namespace orrery::net {

class ByteChannel {
 public:
  template <typename T>
  using Awaitable = boost::asio::awaitable<T>;

  virtual ~ByteChannel() = default;

  // Waits for some bytes and returns how many; 0 means that the peer sends no more.
  virtual Awaitable<Result<size_t>> ReadSome(std::span<char> space) = 0;
  // `bytes` must stay valid until the operation ends.
  virtual Awaitable<Status> Write(std::string_view bytes) = 0;
  // Like Write, for those that must not wait: `done` is called on the loop, never inside this call.
  // The bytes and the channel must live until then.
  virtual void StartWrite(std::string_view bytes, std::move_only_function<void(Status)> done) = 0;
  // Pending operations and all later ones fail, soon, on the loop; never inside this call.
  virtual void Cut() = 0;
};

}  // namespace orrery::net
