// One conversation with a CQL server, a question at a time: handshake, schema, PREPARE.
//
// Open() connects, starts up and authenticates (SASL PLAIN when the server asks for it). For load,
// wire/connection.h takes the session over and pipelines.
//
// Blocking; not thread-safe. Includes Asio: for the .cc files of the load generator.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "api/cassandra/protocol/frame/message_decoder.h"
#include "api/cassandra/protocol/request/request.h"
#include "api/cassandra/protocol/response/response.h"
#include "base/status.h"
#include "cql/cql_options.h"
#include "cql/load/workload.h"
#include "load/transport.h"
#include "net/read_buffer.h"

namespace orrery::bench {

class Session {
 public:
  // kUnavailable: no connection; kUnauthorized: not let in.
  static Result<std::unique_ptr<Session>> Open(boost::asio::io_context& context,
                                               const Target& target);

  // Any answer but ERROR. It views this session until the next question. An ERROR becomes
  // kInvalidArgument with its code and text.
  Result<cassandra::Response> Ask(cassandra::Request request);
  // A statement whose rows, if any, do not matter.
  Status Run(std::string_view statement);
  Result<PreparedId> Prepare(std::string_view statement);

  // For the connection that takes this over, straight after Open().
  Transport& transport() { return *transport_; }
  cassandra::MessageDecoder& decoder() { return decoder_; }
  net::ReadBuffer& input() { return input_; }
  cassandra::ProtocolVersion version() const { return version_; }

 private:
  Session(std::unique_ptr<Transport> transport, cassandra::ProtocolVersion version);
  Status StartUp(const Target& target);
  Status Authenticate(const Target& target);
  Result<cassandra::Envelope> ReadEnvelope();
  void ForgetAnswer();  // its bytes leave input_

  const std::unique_ptr<Transport> transport_;
  const cassandra::ProtocolVersion version_;
  cassandra::MessageDecoder decoder_;
  net::ReadBuffer input_;
  size_t used_bytes_ = 0;  // of input_, by the answer given out last
  bool framed_ = false;    // v5, behind STARTUP
};

// Appends what goes over the wire for these whole envelopes: in v5 they are framed.
void AppendForWire(std::string& out, std::string_view envelopes,
                   cassandra::ProtocolVersion version);

}  // namespace orrery::bench
