// A Mailbox is where a session gets what other threads have for it: answers to its requests, and
// notices that nobody asked for. However much comes in one burst, the loop is woken once.
//
// Letters from the connection's own loop take no detour: `reader_here()` is the reader then, which
// for a request that was answered at once means straight into the send buffer. After Close()
// everything is dropped, so work may outlive the connection, the server and the loop.
//
//   Letter   what is delivered; movable
//   Reader   who gets it, on the loop: void TakeLetter(Letter& letter), bool hungry() const
//   (whether
//            it wants more now), void NoticesWereLost() (more than kNoticesMax came between two
//            looks; some are gone)
//
// Put, PutNotice and reader_here from any thread; the rest on the loop.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "base/mutex.h"

namespace orrery::net {

class LoopSignal;

// The part of a mailbox that does not depend on the type of its letters.
class MailboxSignal {
 public:
  explicit MailboxSignal(std::shared_ptr<LoopSignal> signal) : signal_(std::move(signal)) {}
  // The connection's handler runs soon and empties the mailbox, or sends what was gathered.
  void Raise() const;
  bool on_loop() const;

 private:
  const std::shared_ptr<LoopSignal> signal_;
};

template <typename Letter, typename Reader>
class Mailbox {
 public:
  // Notices that wait for a connection's loop.
  static constexpr size_t kNoticesMax = 1024;

  // `signal` is raised when something came that Empty() must be called for.
  explicit Mailbox(std::shared_ptr<LoopSignal> signal) : signal_(std::move(signal)) {}
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;

  // `reader` must live until Close().
  void Open(Reader& reader) { reader_ = &reader; }
  void Close() EXCLUDES(mutex_) {
    reader_ = nullptr;
    giving_.clear();
    given_ = 0;
    std::vector<Letter> dropped;  // destroyed without the lock
    MutexLock lock(mutex_);
    closed_ = true;
    dropped.swap(letters_);
  }

  // The reader, if the caller runs on its loop and may call it; else null. Who calls it outside
  // FramedSession::Take raises the signal afterwards, so that what was gathered is sent.
  Reader* reader_here() const { return signal_.on_loop() ? reader_ : nullptr; }
  void Raise() const { signal_.Raise(); }

  void Put(Letter letter) EXCLUDES(mutex_) {
    {
      MutexLock lock(mutex_);
      if (closed_) return;
      letters_.push_back(std::move(letter));
    }
    signal_.Raise();
  }
  // The same for letters that no request of the client bounds.
  void PutNotice(Letter letter) EXCLUDES(mutex_) {
    {
      MutexLock lock(mutex_);
      if (notices_ >= kNoticesMax) {
        notices_lost_ = true;
        return;
      }
      ++notices_;
    }
    Put(std::move(letter));
  }

  // Gives the reader what has come, as long as it is hungry. False when something was left.
  bool Empty() EXCLUDES(mutex_) {
    if (reader_ == nullptr) return true;
    do {
      for (; given_ < giving_.size(); ++given_) {
        if (!reader_->hungry()) return false;
        reader_->TakeLetter(giving_[given_]);
      }
    } while (Fetch());
    return true;
  }

 private:
  // The capacity that the queues keep while nothing waits.
  static constexpr size_t kSpareLettersMax = 64;

  // Moves what has come to giving_; false when there was nothing.
  bool Fetch() EXCLUDES(mutex_) {
    giving_.clear();
    given_ = 0;
    if (giving_.capacity() > kSpareLettersMax) giving_ = std::vector<Letter>();
    bool notices_lost = false;
    {
      MutexLock lock(mutex_);
      letters_.swap(giving_);
      notices_ = 0;
      notices_lost = std::exchange(notices_lost_, false);
    }
    if (notices_lost) reader_->NoticesWereLost();
    return !giving_.empty();
  }

  const MailboxSignal signal_;
  Reader* reader_ = nullptr;    // the loop's
  std::vector<Letter> giving_;  // the loop's
  size_t given_ = 0;            // of giving_

  Mutex mutex_;
  std::vector<Letter> letters_ GUARDED_BY(mutex_);
  size_t notices_ GUARDED_BY(mutex_) = 0;
  bool notices_lost_ GUARDED_BY(mutex_) = false;
  bool closed_ GUARDED_BY(mutex_) = false;
};

}  // namespace orrery::net
