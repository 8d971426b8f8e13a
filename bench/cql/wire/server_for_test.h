// A CQL server for tests, on a free loopback port, whose answers the test writes itself.
//
// Speaks v4 and v5, plain and TLS. Includes Asio through net/.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "api/cassandra/protocol/frame/message_decoder.h"
#include "api/cassandra/protocol/response/response_envelope.h"
#include "base/metrics.h"
#include "cql/cql_options.h"
#include "cql/wire/session.h"
#include "net/listener.h"
#include "net/read_buffer.h"

namespace orrery::bench {

class ServerForTest {
 public:
  // Appends the answer to `out`, or ends the connection by returning false. Called on the loop.
  using Answer = std::function<bool(const cassandra::Envelope& request,
                                    cassandra::ResponseHead head, std::string& out)>;

  explicit ServerForTest(Answer answer, const net::TlsIdentity* tls = nullptr)
      : answer_(std::move(answer)) {
    auto listener = net::Listener::Open(loops_, {}, tls, metrics_,
                                        [this](net::Stream& stream) { return Serve(stream); });
    EXPECT_TRUE(listener.has_value());
    listener_ = *std::move(listener);
  }

  Target target() const {
    Target target;
    target.port = listener_->port();
    return target;
  }

 private:
  boost::asio::awaitable<void> Serve(net::Stream& stream) {
    cassandra::MessageDecoder decoder(cassandra::Direction::kRequest);
    net::ReadBuffer input;
    bool framed = false;
    while (true) {
      const auto size = co_await stream.ReadSome(input.Prepare(4'096));
      if (!size.has_value() || *size == 0) co_return;
      input.Commit(*size);
      std::string_view rest = input.data();
      std::string envelopes;
      bool starts = false;
      while (true) {
        const auto request = decoder.Next(rest);
        if (!request.has_value()) co_return;
        if (!request->has_value()) break;
        cassandra::ResponseHead head;
        head.version = (*request)->header.version;
        head.stream = (*request)->header.stream;
        if (!answer_(**request, head, envelopes)) co_return;
        if ((*request)->header.opcode == cassandra::Opcode::kStartup) {
          decoder.Start(head.version, cassandra::Compression::kNone);
          starts = head.version >= cassandra::ProtocolVersion::kV5;
        }
      }
      input.Consume(input.data().size() - rest.size());
      std::string bytes;
      AppendForWire(bytes, envelopes,
                    framed ? cassandra::ProtocolVersion::kV5 : cassandra::ProtocolVersion::kV4);
      framed = framed || starts;
      if (!bytes.empty() && !(co_await stream.Write(bytes)).has_value()) co_return;
    }
  }

  const Answer answer_;
  MetricsRegistry metrics_;
  net::EventLoops loops_{1};
  std::unique_ptr<net::Listener> listener_;
};

}  // namespace orrery::bench
