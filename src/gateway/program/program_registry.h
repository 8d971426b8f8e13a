// A ProgramRegistry knows how each kind of DocumentProgram is decoded, so that a partition's owner
// can run what arrived at another node.
//
// APIs add their kinds before the node is reachable by others; after that it is not changed.
// Thread-safe from then on.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "base/status.h"
#include "gateway/program/document_program.h"

namespace orrery::gateway {

class ProgramRegistry {
 public:
  using Decoder = std::function<Result<std::shared_ptr<const DocumentProgram>>(
      const ContainerRef& container, std::string_view data)>;

  // REQUIRES: the kind is new.
  void Add(std::string kind, Decoder decoder) {
    const bool added = decoders_.emplace(std::move(kind), std::move(decoder)).second;
    ORRERY_CHECK(added);
  }

  // kUnsupported when the kind is unknown; else the decoder's error.
  Result<std::shared_ptr<const DocumentProgram>> Decode(const ContainerRef& container,
                                                        std::string_view kind,
                                                        std::string_view data) const {
    const auto found = decoders_.find(kind);
    if (found == decoders_.end()) {
      return Fail(Code::kUnsupported,
                  fmt::format("this node does not know programs of kind '{}'", kind));
    }
    return found->second(container, data);
  }

 private:
  std::map<std::string, Decoder, std::less<>> decoders_;
};

}  // namespace orrery::gateway
