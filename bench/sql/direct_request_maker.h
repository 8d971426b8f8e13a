// Signed requests of the SQL API as frames of Direct mode.
//
// The transport request id is the first token of each frame, so that a connection can give each its
// own (wire/direct_exchange.h). Immutable after construction; shared between threads.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sql/request_maker.h"
#include "sql/sql_options.h"

namespace orrery::bench {

class DirectRequestMaker final : public RequestMaker {
 public:
  // With the signatures of `signer`.
  DirectRequestMaker(const SqlOptions& options, RequestMaker signer);

  void AppendRead(uint64_t number, std::string& out) const override;
  void AppendPost(Post kind, std::string_view partition_key, std::string_view body,
                  uint64_t items_max, std::string& out) const override;

 private:
  const std::string database_;
  const std::string container_;
  const std::string post_signature_;
};

}  // namespace orrery::bench
