#include "storage/rados/object/object_store.h"

#include <utility>

#include "storage/rados/object/countdown.h"

namespace orrery::storage::rados {

Status ObjectStore::Apply(std::string_view object, ObjectWrite write) {
  Countdown answered(1);
  Status answer;
  Submit(object, std::move(write), [&](Status status) {
    answer = std::move(status);
    answered.Arrive();
  });
  answered.Wait();
  return answer;
}

Result<std::string> ObjectStore::Read(std::string_view object, uint64_t offset, size_t bytes) {
  Countdown answered(1);
  Result<std::string> answer;
  SubmitRead(object, offset, bytes, [&](Result<std::string> read) {
    answer = std::move(read);
    answered.Arrive();
  });
  answered.Wait();
  return answer;
}

}  // namespace orrery::storage::rados
