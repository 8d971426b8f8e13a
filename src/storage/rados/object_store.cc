#include "storage/rados/object_store.h"

#include <semaphore>
#include <utility>

namespace orrery::storage::rados {

Status ObjectStore::Apply(std::string_view object, ObjectWrite write) {
  std::binary_semaphore answered(0);
  Status answer;
  Submit(object, std::move(write), [&](Status status) {
    answer = std::move(status);
    answered.release();
  });
  answered.acquire();
  return answer;
}

Result<std::string> ObjectStore::Read(std::string_view object, uint64_t offset, size_t bytes) {
  std::binary_semaphore answered(0);
  Result<std::string> answer;
  SubmitRead(object, offset, bytes, [&](Result<std::string> read) {
    answer = std::move(read);
    answered.release();
  });
  answered.acquire();
  return answer;
}

}  // namespace orrery::storage::rados
