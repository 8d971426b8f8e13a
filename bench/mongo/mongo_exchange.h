// A MongoExchange is the commands of one workload and the judgement of their replies: a find counts
// only with its documents, a write only if it wrote, an aggregation only with all groups.
//
// Includes Asio: for the .cc files of the load generator.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "load/framed/framed_connection.h"
#include "load/key_chooser.h"
#include "mongo/command_maker.h"
#include "mongo/mongo_options.h"

namespace orrery::bench {

// Returns the body of the reply at the front of `input`; nullopt if more bytes are needed. A
// message of another form has an empty body.
struct MongoReply {
  size_t bytes = 0;
  uint32_t response_to = 0;
  model::DocumentView body{};
};
std::optional<MongoReply> ReadMongoReply(std::string_view input);

class MongoExchange final : public FramedExchange {
 public:
  // The keys are numbers of documents; of batches for kMany. `commands` must outlive this.
  // REQUIRES: kind is not kNone.
  MongoExchange(MongoWorkloadKind kind, KeyChooser keys, uint64_t documents,
                const CommandMaker& commands);

  OperationKind Next(uint32_t id, std::string& out) override;
  std::optional<FramedAnswer> Take(std::string_view input) const override;

 private:
  bool IsGood(model::DocumentView reply) const;

  const MongoWorkloadKind kind_;
  KeyChooser keys_;
  const uint64_t documents_;
  const CommandMaker& commands_;
};

}  // namespace orrery::bench
