#include "gateway/archive/archive_batch.h"

#include <fmt/format.h>

#include <utility>

#include "gateway/remote/codec/row_change_codec.h"
#include "gateway/remote/message.h"
#include "item/write/operation.h"

namespace orrery::gateway {
namespace {

constexpr uint64_t kArchiveBatchVersion = 1;

void Append(MessageWriter& out, const ArchivedDocument& item) {
  out.Flag(item.mortal);
  out.Time(item.time);
  out.Bytes(item.document.bson());
}

void Append(MessageWriter& out, const ArchivedRow& item) {
  out.Flag(item.mortal);
  out.Bytes(item.partition_key);
  out.Bytes(item.clustering);
  out.Bytes(item.row);
}

void Read(MessageReader& in, ArchivedDocument& item) {
  item.mortal = in.Flag();
  item.time = in.Time();
  if (item.time < Micros(0) || item.time > item::kWrittenAtMax) in.Refuse();
  auto document = model::Document::FromBson(in.String());
  if (!document.has_value()) return in.Refuse();
  item.document = *std::move(document);
}

void Read(MessageReader& in, ArchivedRow& item) {
  item.mortal = in.Flag();
  item.partition_key = in.String();
  item.clustering = in.String();
  item.row = ReadRowBytes(in);
}

template <typename Item>
Result<ArchiveBatch> ReadItems(MessageReader& in) {
  std::vector<Item> items;
  const size_t count = in.Count();
  if (count > kArchiveBatchItemsMax) in.Refuse();
  for (size_t i = 0; i < count && in.ok(); ++i) Read(in, items.emplace_back());
  ORRERY_TRY(in.End());
  return items;
}

}  // namespace

size_t SizeOf(const ArchiveBatch& batch) {
  return std::visit([](const auto& items) { return items.size(); }, batch);
}

void DropFront(ArchiveBatch& batch, size_t count) {
  std::visit(
      [count](auto& items) {
        items.erase(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(count));
      },
      batch);
}

std::string EncodeBatch(const ArchiveBatch& batch) {
  MessageWriter out;
  out.Number(kArchiveBatchVersion);
  out.Number(batch.index());
  out.Number(SizeOf(batch));
  std::visit(
      [&out](const auto& items) {
        for (const auto& item : items) Append(out, item);
      },
      batch);
  return std::move(out).Take();
}

Result<ArchiveBatch> DecodeBatch(std::string_view bytes) {
  MessageReader in(bytes);
  const uint64_t version = in.Number();
  if (in.ok() && version > kArchiveBatchVersion) {
    return Fail(Code::kUnsupported,
                fmt::format("the items are in form {}, which a newer version of Orrery writes; "
                            "this one reads up to {}",
                            version, kArchiveBatchVersion));
  }
  if (version != kArchiveBatchVersion) in.Refuse();
  return in.Number(1) == 0 ? ReadItems<ArchivedDocument>(in) : ReadItems<ArchivedRow>(in);
}

}  // namespace orrery::gateway
