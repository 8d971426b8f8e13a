// A FrameWrapper puts the envelopes of a v5 connection into as few frames as hold them.
#pragma once

#include "api/cassandra/protocol/frame/frame.h"
#include "net/framed/send_buffer.h"

namespace orrery::cassandra {

class FrameWrapper final : public net::SendWrapper {
 public:
  void set_format(FrameFormat format) { format_ = format; }
  void Wrap(std::string_view envelopes, std::string& wire) override {
    AppendFrames(wire, envelopes, format_);
  }

 private:
  FrameFormat format_ = FrameFormat::kPlain;
};

}  // namespace orrery::cassandra
