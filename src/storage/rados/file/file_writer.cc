#include "storage/rados/file/file_writer.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "storage/rados/file/link_tags.h"
#include "storage/rados/file/stripes.h"

namespace orrery::storage::rados {
namespace {

// A stripe that is no longer there, or has another epoch, was taken by a new owner.
Error Explain(Error error, const std::string& object) {
  const Code code = error.code();
  if (code == Code::kPreconditionFailed || code == Code::kNotFound || code == Code::kFenced)
    return {Code::kFenced, fmt::format("another process owns '{}' now", object)};
  return std::move(error).Annotate(fmt::format("writing '{}'", object));
}

}  // namespace

FileWriter::FileWriter(ObjectStore& store, FileEntry entry, Confirm confirm)
    : store_(store), entry_(std::move(entry)), confirm_(std::move(confirm)) {}

uint32_t FileWriter::StripeOf(uint64_t offset) const {
  return static_cast<uint32_t>(offset / entry_.stripe_bytes);
}

uint64_t FileWriter::StoredLocked() const {
  return pieces_.empty() ? buffer_offset_ : pieces_.front().offset;
}

uint64_t FileWriter::size() const {
  MutexLock lock(mutex_);
  return buffer_offset_ + buffer_.size();
}

uint64_t FileWriter::stored() const {
  MutexLock lock(mutex_);
  return StoredLocked();
}

std::optional<Error> FileWriter::failure() const {
  MutexLock lock(mutex_);
  return error_;
}

void FileWriter::FailWith(Error error) {
  if (!error_.has_value()) error_ = std::move(error);
  changed_.NotifyAll();
}

void FileWriter::Cut(bool all) {
  size_t done = 0;
  while (done < buffer_.size()) {
    const uint64_t offset = buffer_offset_ + done;
    const uint64_t stripe_end = (uint64_t{StripeOf(offset)} + 1) * entry_.stripe_bytes;
    const size_t part = std::min<uint64_t>(stripe_end - offset, buffer_.size() - done);
    if (offset + part < stripe_end && !all) break;
    // A waiting piece takes along what has come behind it.
    if (!pieces_.empty() && pieces_.back().state == Piece::State::kWaiting &&
        StripeOf(pieces_.back().offset) == StripeOf(offset)) {
      pieces_.back().bytes.append(buffer_, done, part);
    } else {
      pieces_.push_back({.offset = offset, .bytes = buffer_.substr(done, part)});
    }
    done += part;
  }
  buffer_.erase(0, done);
  buffer_offset_ += done;
}

bool FileWriter::CanStart(const Piece& piece) const {
  if (piece.state != Piece::State::kWaiting || in_flight_ >= kStripesInFlightMax) return false;
  return std::ranges::none_of(pieces_, [&](const Piece& other) {
    return other.state == Piece::State::kInFlight &&
           StripeOf(other.offset) == StripeOf(piece.offset);
  });
}

ObjectWrite FileWriter::WriteOf(const Piece& piece) {
  ObjectWrite write;
  const uint32_t stripe = StripeOf(piece.offset);
  const std::string epoch = EpochText(entry_.id.epoch);
  if (stripe < stripes_there_) {
    write.RequireAttribute(kEpochAttribute, epoch);
  } else {
    write.CreateFirst().SetAttribute(kEpochAttribute, epoch);
    if (stripe == 0) write.SetAttribute(kLinksAttribute, EncodeLinks({entry_.tag}));
    stripes_there_ = stripe + 1;
  }
  write.Write(piece.offset % entry_.stripe_bytes, piece.bytes);
  return write;
}

void FileWriter::Pump() {
  std::vector<std::pair<uint64_t, ObjectWrite>> sends;
  {
    MutexLock lock(mutex_);
    if (error_.has_value()) return;
    for (Piece& piece : pieces_) {
      if (!CanStart(piece)) continue;
      piece.state = Piece::State::kInFlight;
      ++in_flight_;
      sends.emplace_back(piece.offset, WriteOf(piece));
    }
  }
  for (auto& [offset, write] : sends) {
    store_.Submit(StripeObject(entry_.id, StripeOf(offset)), std::move(write),
                  [self = shared_from_this(), at = offset](Status status) {
                    self->Answered(at, std::move(status));
                  });
  }
}

void FileWriter::AwaitAnswer() {
  const uint64_t before = answers_;
  while (in_flight_ > 0 && answers_ == before) changed_.Wait(mutex_);
}

// Sends nothing: the store's threads must not wait. Whoever waits for it does.
void FileWriter::Answered(uint64_t offset, Status status) {
  MutexLock lock(mutex_);
  --in_flight_;
  ++answers_;
  if (!status.has_value()) {
    FailWith(Explain(std::move(status).error(), StripeObject(entry_.id, StripeOf(offset))));
    return;
  }
  for (Piece& piece : pieces_)
    if (piece.offset == offset) piece.state = Piece::State::kStored;
  while (!error_.has_value() && !pieces_.empty() && pieces_.front().state == Piece::State::kStored)
    pieces_.pop_front();
  changed_.NotifyAll();
}

Status FileWriter::Append(std::string_view bytes) {
  for (;;) {
    {
      MutexLock lock(mutex_);
      if (error_.has_value()) return Fail(*error_);
      if (pieces_.size() <= kStripesInFlightMax) break;
    }
    // More would only pile up.
    Pump();
    MutexLock lock(mutex_);
    AwaitAnswer();
  }
  bool full = false;
  {
    MutexLock lock(mutex_);
    buffer_.append(bytes);
    const size_t before = pieces_.size();
    Cut(/*all=*/false);
    full = pieces_.size() > before;
  }
  if (full) Pump();
  return {};
}

Status FileWriter::AwaitStored(uint64_t end) {
  for (;;) {
    Pump();
    MutexLock lock(mutex_);
    if (error_.has_value()) return Fail(*error_);
    if (StoredLocked() >= end) return {};
    AwaitAnswer();
  }
}

Status FileWriter::Sync() {
  uint64_t end = 0;
  {
    MutexLock lock(mutex_);
    if (error_.has_value()) return Fail(*error_);
    Cut(/*all=*/true);
    end = buffer_offset_;
  }
  ORRERY_TRY(AwaitStored(end));
  // Those behind `end` may be on their way still: they are for the next to ask about.
  const uint32_t stripes = StripeOf(end + entry_.stripe_bytes - 1);
  {
    MutexLock lock(mutex_);
    if (stripes <= stripes_confirmed_) return {};
  }
  Status confirmed = confirm_();
  MutexLock lock(mutex_);
  if (!confirmed.has_value()) {
    FailWith(std::move(confirmed).error());
    return Fail(*error_);
  }
  stripes_confirmed_ = std::max(stripes_confirmed_, stripes);
  return {};
}

Status FileWriter::Truncate(uint64_t bytes) {
  const uint64_t now = size();
  if (bytes > now) return Append(std::string(bytes - now, '\0'));
  if (bytes == now) return {};
  ORRERY_TRY(Sync());
  Status cut = CutStored(bytes);
  MutexLock lock(mutex_);
  if (!cut.has_value()) {
    FailWith(std::move(cut).error());
    return Fail(*error_);
  }
  buffer_offset_ = bytes;
  stripes_there_ =
      std::min(stripes_there_, std::max(1U, StripeOf(bytes + entry_.stripe_bytes - 1)));
  stripes_confirmed_ = std::min(stripes_confirmed_, stripes_there_);
  return {};
}

// The last stripe first: whatever a crash leaves is a first part of the file.
Status FileWriter::CutStored(uint64_t bytes) {
  const std::string epoch = EpochText(entry_.id.epoch);
  for (uint64_t end = size(); end > bytes;) {
    const uint32_t stripe = StripeOf(end - 1);
    const uint64_t start = uint64_t{stripe} * entry_.stripe_bytes;
    ObjectWrite write;
    write.RequireAttribute(kEpochAttribute, epoch);
    // The first stripe has the links, and stays.
    if (start >= bytes && stripe > 0) {
      write.Remove();
    } else {
      write.Truncate(bytes - start);
    }
    const std::string object = StripeObject(entry_.id, stripe);
    const Status cut = store_.Apply(object, std::move(write));
    if (!cut.has_value()) return Fail(Explain(cut.error(), object));
    end = std::max(start, bytes);
  }
  return {};
}

FileWriter::Tail FileWriter::Look(uint64_t offset, size_t bytes) const {
  MutexLock lock(mutex_);
  Tail tail{.size = buffer_offset_ + buffer_.size(), .stored = StoredLocked(), .bytes = {}};
  const uint64_t end = std::min<uint64_t>(tail.size, offset + bytes);
  const auto add = [&](uint64_t start, std::string_view part) {
    const uint64_t from = std::max(start, offset);
    const uint64_t to = std::min(start + part.size(), end);
    if (from < to) tail.bytes.append(part.substr(from - start, to - from));
  };
  for (const Piece& piece : pieces_) add(piece.offset, piece.bytes);
  add(buffer_offset_, buffer_);
  return tail;
}

}  // namespace orrery::storage::rados
