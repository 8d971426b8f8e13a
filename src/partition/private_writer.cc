#include "partition/private_writer.h"

namespace orrery::partition {

Status PrivateWriter::Evaluate(Mutation& mutation, Lsn lsn, Micros now) {
  writer_.Begin(lsn, now);
  if (Status status = mutation.Evaluate(writer_); !status.has_value()) {
    writer_.forming_.Rollback();
    return status;
  }
  writer_.forming_.Commit();
  return {};
}

}  // namespace orrery::partition
