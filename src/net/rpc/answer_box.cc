#include "net/rpc/answer_box.h"

#include "base/check.h"
#include "net/loop_signal.h"

namespace orrery::net {

void AnswerBox::Put(RpcTicket ticket, Result<std::string> answer) {
  {
    MutexLock lock(mutex_);
    if (closed_) return;
    entries_.push_back({ticket, std::move(answer)});
  }
  signal_->Raise();
}

std::vector<AnswerBox::Entry> AnswerBox::TakeAll() {
  std::vector<Entry> entries;
  MutexLock lock(mutex_);
  entries.swap(entries_);
  return entries;
}

void AnswerBox::Close() {
  std::vector<Entry> dropped;  // outside the lock
  MutexLock lock(mutex_);
  closed_ = true;
  dropped.swap(entries_);
}

RpcAnswerer::~RpcAnswerer() {
  if (box_) box_->Put(ticket_, Fail(Code::kInternal, "the method did not answer"));
}

void RpcAnswerer::operator()(Result<std::string> answer) {
  ORRERY_CHECK(box_ != nullptr);
  std::exchange(box_, nullptr)->Put(ticket_, std::move(answer));
}

}  // namespace orrery::net
