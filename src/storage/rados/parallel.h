// Several operations of an object store at the same time, for a caller that waits for all.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "storage/rados/object/countdown.h"
#include "storage/rados/object/object_store.h"

namespace orrery::storage::rados {

// The changes of one object.
struct ObjectChange {
  std::string object;
  ObjectWrite write;
};
struct ObjectRange {
  std::string object;
  uint64_t offset = 0;
  size_t bytes = 0;
};

// The answers, in the order of what was asked. REQUIRES: few enough to be on their way at once.
inline std::vector<Status> ApplyAll(ObjectStore& store, std::vector<ObjectChange> changes) {
  std::vector<Status> answers(changes.size());
  Countdown all(changes.size());
  for (size_t i = 0; i < changes.size(); ++i) {
    store.Submit(changes[i].object, std::move(changes[i].write),
                 [&all, &answers, i](Status status) {
                   answers[i] = std::move(status);
                   all.Arrive();
                 });
  }
  all.Wait();
  return answers;
}

inline std::vector<Result<std::string>> ReadAll(ObjectStore& store,
                                                const std::vector<ObjectRange>& ranges) {
  std::vector<Result<std::string>> answers(ranges.size());
  Countdown all(ranges.size());
  for (size_t i = 0; i < ranges.size(); ++i) {
    store.SubmitRead(ranges[i].object, ranges[i].offset, ranges[i].bytes,
                     [&all, &answers, i](Result<std::string> read) {
                       answers[i] = std::move(read);
                       all.Arrive();
                     });
  }
  all.Wait();
  return answers;
}

}  // namespace orrery::storage::rados
