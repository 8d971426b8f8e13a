#include "storage/log/write_fuse.h"

#include <rocksdb/listener.h>

namespace orrery::storage {
namespace {

class ResumeGuard : public rocksdb::EventListener {
 public:
  void OnErrorRecoveryBegin(rocksdb::BackgroundErrorReason reason, rocksdb::Status /*error*/,
                            bool* auto_recovery) override {
    if (reason == rocksdb::BackgroundErrorReason::kWriteCallback) *auto_recovery = false;
  }
};

}  // namespace

std::shared_ptr<rocksdb::EventListener> MakeResumeGuard() {
  return std::make_shared<ResumeGuard>();
}

}  // namespace orrery::storage
