// An accepted connection as a ByteChannel. `stream` must outlive it.
#pragma once

#include <utility>

#include "net/rpc/link/byte_channel.h"
#include "net/stream.h"

namespace orrery::net {

class StreamChannel final : public ByteChannel {
 public:
  explicit StreamChannel(Stream& stream) : stream_(stream) {}

  Awaitable<Result<size_t>> ReadSome(std::span<char> space) override {
    return stream_.ReadSome(space);
  }
  Awaitable<Status> Write(std::string_view bytes) override { return stream_.Write(bytes); }
  void StartWrite(std::string_view bytes, std::move_only_function<void(Status)> done) override {
    stream_.StartWrite(bytes, std::move(done));
  }
  // At the next sweep of the stream's set.
  void Cut() override { stream_.ExpireAfter(std::chrono::milliseconds(0)); }

 private:
  Stream& stream_;
};

}  // namespace orrery::net
