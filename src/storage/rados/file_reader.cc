#include "storage/rados/file_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace orrery::storage::rados {

FileReader::FileReader(ObjectStore& store, FileRemover& remover, SmallFiles& small, FoundFile file,
                       std::shared_ptr<OwnedDirectory> owner)
    : store_(store),
      small_(small),
      file_(std::move(file)),
      owner_(std::move(owner)),
      hold_(remover, file_.entry.id) {}

uint64_t FileReader::size() const {
  return file_.writer != nullptr ? file_.writer->size() : file_.entry.bytes;
}

std::shared_ptr<FileReader::Pending> FileReader::Start(uint64_t offset, size_t bytes) const {
  auto pending = std::make_shared<Pending>();
  pending->reader_ = shared_from_this();
  uint64_t stored = file_.entry.bytes;
  if (file_.writer != nullptr) {
    FileWriter::Tail tail = file_.writer->Look(offset, bytes);
    stored = tail.stored;
    pending->tail_ = std::move(tail.bytes);
  } else if (const auto known = small_.Find(file_.entry.id); known && known->size() >= stored) {
    if (offset < stored)
      pending->tail_ = known->substr(offset, std::min<uint64_t>(bytes, stored - offset));
    stored = 0;
  } else {
    pending->whole_ =
        file_.entry.closed && offset == 0 && bytes >= stored && stored <= SmallFiles::kFileBytesMax;
  }
  const uint64_t end = std::min<uint64_t>(stored, offset + bytes);
  for (uint64_t at = offset; at < end;) {
    const uint64_t stripe = at / file_.entry.stripe_bytes;
    const uint64_t start = stripe * file_.entry.stripe_bytes;
    const uint64_t part = std::min(end, start + file_.entry.stripe_bytes) - at;
    pending->parts_->all.push_back(
        {.object = StripeObject(file_.entry.id, static_cast<uint32_t>(stripe)),
         .offset = at - start,
         .bytes = part,
         .answer = {}});
    at += part;
  }
  const std::shared_ptr<Pending::Parts> parts = pending->parts_;
  {
    MutexLock lock(parts->mutex);
    parts->missing = parts->all.size();
  }
  for (size_t i = 0; i < parts->all.size(); ++i) {
    const Pending::Part& part = parts->all[i];
    store_.SubmitRead(part.object, part.offset, part.bytes, [parts, i](Result<std::string> read) {
      parts->all[i].answer = std::move(read);
      MutexLock lock(parts->mutex);
      if (--parts->missing == 0) parts->answered.NotifyAll();
    });
  }
  return pending;
}

Result<size_t> FileReader::Pending::Finish(char* out) {
  {
    MutexLock lock(parts_->mutex);
    while (parts_->missing > 0) parts_->answered.Wait(parts_->mutex);
  }
  if (reader_->owner_ != nullptr) ORRERY_TRY(reader_->owner_->CheckOwned());
  size_t done = 0;
  for (const Part& part : parts_->all) {
    if (!part.answer.has_value()) return Fail(reader_->Explain(part.answer.error(), part.object));
    if (part.answer->size() != part.bytes) {
      return Fail(Code::kCorruption,
                  fmt::format("the object '{}' is shorter than its directory says", part.object));
    }
    std::memcpy(out + done, part.answer->data(), part.bytes);
    done += part.bytes;
  }
  if (whole_) reader_->small_.Put(reader_->id(), std::string(out, done));
  std::memcpy(out + done, tail_.data(), tail_.size());
  return done + tail_.size();
}

Error FileReader::Explain(const Error& error, const std::string& object) const {
  if (error.code() != Code::kNotFound) return error;
  if (owner_ != nullptr) {
    const Result<std::optional<DirectoryState>> now = ReadState(store_, owner_->place().id);
    if (now.has_value() && (!now->has_value() || (*now)->epoch != owner_->epoch())) {
      owner_->Fence();
      return {Code::kFenced, fmt::format("another process has taken and removed '{}'", object)};
    }
  }
  return {Code::kCorruption, fmt::format("the object '{}' is missing", object)};
}

}  // namespace orrery::storage::rados
