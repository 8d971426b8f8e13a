#include "api/cassandra/server/session/mailbox.h"

#include "base/check.h"
#include "base/overload.h"
#include "net/loop_signal.h"

namespace orrery::cassandra {
void Mailbox::Close() {
  reader_ = nullptr;
  giving_.clear();
  std::vector<Item> dropped;  // destroyed without the lock
  MutexLock lock(mutex_);
  closed_ = true;
  dropped.swap(items_);
}

void Mailbox::Deliver(PendingRequestPtr request, Outcome outcome) {
  if (signal_->on_loop() && reader_ != nullptr) {
    reader_->TakeOutcome(std::move(request), std::move(outcome));
    if (!reader_->taking()) signal_->Raise();
  } else {
    Put(FinishedStatement{std::move(request), std::move(outcome)});
  }
}

void Mailbox::DeliverLogin(PendingRequestPtr request, CqlResult<Client> client) {
  Put(FinishedLogin{std::move(request), std::move(client)});
}

void Mailbox::PutEvent(EventPtr event) {
  {
    MutexLock lock(mutex_);
    if (events_ >= kEventsMax) {
      events_lost_ = true;
      return;
    }
    ++events_;
  }
  Put(std::move(event));
}

void Mailbox::Put(Item item) {
  {
    MutexLock lock(mutex_);
    if (closed_) return;
    items_.push_back(std::move(item));
  }
  signal_->Raise();
}

bool Mailbox::Empty() {
  if (reader_ == nullptr) return true;
  do {
    for (; given_ < giving_.size(); ++given_) {
      if (!reader_->hungry()) return false;
      Give(giving_[given_]);
    }
  } while (Fetch());
  return true;
}

bool Mailbox::Fetch() {
  giving_.clear();
  given_ = 0;
  if (giving_.capacity() > kSpareItemsMax) giving_ = std::vector<Item>();
  bool events_lost = false;
  {
    MutexLock lock(mutex_);
    items_.swap(giving_);
    events_ = 0;
    events_lost = std::exchange(events_lost_, false);
  }
  if (events_lost) reader_->EventsWereLost();
  return !giving_.empty();
}

void Mailbox::Give(Item& item) {
  std::visit(Overload{
                 [&](FinishedStatement& finished) {
                   reader_->TakeOutcome(std::move(finished.request), std::move(finished.outcome));
                 },
                 [&](FinishedLogin& finished) {
                   reader_->TakeLogin(std::move(finished.request), std::move(finished.client));
                 },
                 [&](const EventPtr& event) { reader_->TakeEvent(*event); },
             },
             item);
}

Answerer::~Answerer() {
  if (!request_) return;
  (*this)(Outcome::Failed({ErrorCode::kServerError, "The request was dropped unanswered", {}, 0}));
}

void Answerer::operator()(Outcome outcome) {
  ORRERY_CHECK(request_ != nullptr);
  // Taken from the request, which may go while the mailbox is at work.
  const std::shared_ptr<Mailbox> mailbox = std::move(request_->mailbox);
  mailbox->Deliver(std::move(request_), std::move(outcome));
}

}  // namespace orrery::cassandra
