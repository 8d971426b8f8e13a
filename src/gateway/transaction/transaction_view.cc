#include "gateway/transaction/transaction_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "gateway/position/session_token.h"

namespace orrery::gateway {
namespace {

// LSNs of writes that are not committed: a partition's history does not get so far.
constexpr uint64_t kProvisional = uint64_t{1} << 63;

// Without a document no etag is right.
Status CheckEtag(const std::optional<Lsn>& if_match, const TransactionView::Document* now) {
  if (!if_match.has_value() || (now != nullptr && now->lsn == *if_match)) return {};
  return Fail(Code::kPreconditionFailed, "One of the specified pre-condition is not met");
}

std::unexpected<Error> AlreadyThere() {
  return Fail(Code::kAlreadyExists, "Entity with the specified id already exists in the system.");
}

std::unexpected<Error> NotThere() {
  return Fail(Code::kNotFound, "Entity with the specified id does not exist in the system.");
}

// Read by id or written, as preconditions of a write.
void SetBase(WriteOperation& operation, const std::optional<Lsn>& base) {
  operation.if_match = base;
  operation.if_absent = !base.has_value();
}

}  // namespace

Result<std::unique_ptr<TransactionView>> TransactionView::Open(Gateway& gateway, const Clock& clock,
                                                               ContainerRef container,
                                                               KeyValues partition_key,
                                                               const Limits& limits) {
  ORRERY_ASSIGN(RoutedKey routed, gateway.RoutePartitionKey(*container, partition_key));
  return std::unique_ptr<TransactionView>(new TransactionView(
      gateway, clock, std::move(container), std::move(partition_key), std::move(routed), limits));
}

TransactionView::TransactionView(Gateway& gateway, const Clock& clock, ContainerRef container,
                                 KeyValues partition_key, RoutedKey routed, const Limits& limits)
    : gateway_(gateway),
      clock_(clock),
      container_(std::move(container)),
      partition_key_(std::move(partition_key)),
      routed_(std::move(routed)),
      limits_(limits),
      claims_(gateway_, container_, routed_) {}

Result<TransactionView::Document> TransactionView::Read(const model::Value& row_key) {
  ORRERY_ASSIGN(const std::string encoded, gateway_.EncodeRowKey(*container_, row_key));
  ORRERY_ASSIGN(Entry * entry, Load(encoded, row_key));
  if (!entry->now.has_value()) return NotThere();
  return *entry->now;
}

Result<TransactionView::Document> TransactionView::Create(model::Document document) {
  ORRERY_ASSIGN(Incoming incoming, Take(std::move(document)));
  ORRERY_ASSIGN(Entry * entry, Load(incoming.encoded, incoming.row_key));
  if (entry->now.has_value()) return AlreadyThere();
  return Put(*entry, std::move(incoming.encoded), std::move(incoming.stored));
}

Result<TransactionView::Upserted> TransactionView::Upsert(model::Document document,
                                                          std::optional<Lsn> if_match) {
  ORRERY_ASSIGN(Incoming incoming, Take(std::move(document)));
  ORRERY_ASSIGN(Entry * entry, Load(incoming.encoded, incoming.row_key));
  const bool created = !entry->now.has_value();
  if (!created) ORRERY_TRY(CheckEtag(if_match, &*entry->now));
  ORRERY_ASSIGN(Document written,
                Put(*entry, std::move(incoming.encoded), std::move(incoming.stored)));
  return Upserted{std::move(written), created};
}

Result<TransactionView::Document> TransactionView::Replace(const model::Value& row_key,
                                                           model::Document document,
                                                           std::optional<Lsn> if_match) {
  ORRERY_ASSIGN(Incoming incoming, Take(std::move(document)));
  ORRERY_ASSIGN(const std::string encoded, gateway_.EncodeRowKey(*container_, row_key));
  ORRERY_ASSIGN(Entry * entry, Load(encoded, row_key));
  if (!entry->now.has_value()) return NotThere();
  ORRERY_TRY(CheckEtag(if_match, &*entry->now));
  if (incoming.encoded == encoded)
    return Put(*entry, std::move(incoming.encoded), std::move(incoming.stored));
  ORRERY_ASSIGN(Entry * renamed, Load(incoming.encoded, incoming.row_key));
  if (renamed->now.has_value()) return AlreadyThere();
  const ClaimBook::Former former{encoded, entry->now->document};
  ORRERY_TRY(claims_.Put(incoming.encoded, incoming.stored, &former));
  Erase(*entry);
  return Write(*renamed, std::move(incoming.encoded), std::move(incoming.stored));
}

Status TransactionView::Remove(const model::Value& row_key, std::optional<Lsn> if_match) {
  ORRERY_ASSIGN(const std::string encoded, gateway_.EncodeRowKey(*container_, row_key));
  ORRERY_ASSIGN(Entry * entry, Load(encoded, row_key));
  if (!entry->now.has_value()) return NotThere();
  ORRERY_TRY(CheckEtag(if_match, &*entry->now));
  claims_.Remove(encoded, entry->now->document);
  Erase(*entry);
  return {};
}

void TransactionView::Erase(Entry& entry) {
  WriteOperation& operation = writes_.emplace_back();
  operation.kind = item::OperationKind::kDelete;
  operation.row_key = entry.row_key;
  // Later writes of a document follow from the first, in the same transaction.
  if (!entry.written) SetBase(operation, entry.base);
  entry.written = true;
  entry.now.reset();
  ++kept_documents_;
}

Result<TransactionView::Incoming> TransactionView::Take(model::Document document) const {
  Incoming incoming;
  incoming.stored = std::move(document);
  if (incoming.stored.bson().size() > limits_.document_bytes_max) {
    return Fail(Code::kTooLarge,
                fmt::format("Request size is too large: the document has {} bytes, the most is {}",
                            incoming.stored.bson().size(), limits_.document_bytes_max));
  }
  ORRERY_ASSIGN(const RoutedKey key,
                gateway_.RoutePartitionKey(*container_,
                                           PartitionKeyOf(*container_->schema, incoming.stored)));
  if (key != routed_) {
    return Fail(Code::kInvalidArgument,
                "The partition key of the document is not that of the transaction: all documents "
                "that it reads and writes must have the same partition key");
  }
  incoming.row_key = RowKeyOf(*container_->schema, incoming.stored);
  ORRERY_ASSIGN(incoming.encoded, gateway_.EncodeRowKey(*container_, incoming.row_key));
  return incoming;
}

Result<TransactionView::Document> TransactionView::Put(Entry& entry, std::string row_key,
                                                       model::Document stored) {
  if (entry.now.has_value()) {
    const ClaimBook::Former former{row_key, entry.now->document};
    ORRERY_TRY(claims_.Put(row_key, stored, &former));
  } else {
    ORRERY_TRY(claims_.Put(row_key, stored, nullptr));
  }
  return Write(entry, std::move(row_key), std::move(stored));
}

const TransactionView::Document& TransactionView::Write(Entry& entry, std::string row_key,
                                                        model::Document stored) {
  WriteOperation& operation = writes_.emplace_back();
  operation.kind = item::OperationKind::kUpsert;
  operation.document = stored;
  if (!entry.written) SetBase(operation, entry.base);
  entry.written = true;
  ++kept_documents_;
  kept_bytes_ += stored.bson().size();
  entry.now = Document{.key = KeyOf(std::move(row_key)),
                       .lsn = Lsn(kProvisional | writes_.size()),
                       .time = clock_.Now(),
                       .document = std::move(stored)};
  return *entry.now;
}

Result<TransactionView::Entry*> TransactionView::Load(const std::string& encoded,
                                                      const model::Value& row_key) {
  if (const auto found = entries_.find(encoded); found != entries_.end()) return &found->second;
  const ReadResponse read =
      gateway_.Read(container_, partition_key_, row_key, storage::ReadMode::kMayBlock);
  if (!read.status.has_value() && read.status.error().code() != Code::kNotFound)
    return Fail(read.status.error());
  ORRERY_TRY(Account(read.charge, read.session, read.status.has_value() ? read.item.lsn : Lsn()));
  Entry entry{.row_key = row_key, .base = std::nullopt, .now = std::nullopt};
  if (read.status.has_value()) {
    entry.base = read.item.lsn;
    entry.now =
        Document{.key = KeyOf(encoded),
                 .lsn = read.item.lsn,
                 .time = read.item.time,
                 .document = model::Document::Trusted(std::string(read.item.document.bson()))};
    kept_bytes_ += read.item.document.bson().size();
  }
  ++kept_documents_;
  return &entries_.emplace(encoded, std::move(entry)).first->second;
}

Status TransactionView::Account(RequestUnits charge, const std::string& session, Lsn newest) {
  charge_ += charge;
  session_ = session;
  if (!first_look_.has_value()) {
    ORRERY_ASSIGN(const std::vector<SessionPosition> positions, ParseSessionToken(session));
    first_look_ = Lsn();
    for (const SessionPosition& position : positions)
      first_look_ = std::max(*first_look_, position.lsn);
  }
  if (newest > *first_look_) return Conflict();
  return {};
}

std::unexpected<Error> TransactionView::Conflict() {
  conflicted_ = true;
  return Fail(Code::kPreconditionFailed,
              "Conflicting request to resource has been attempted. Retry to avoid conflicts.");
}

Result<std::optional<Lsn>> TransactionView::Commit() {
  if (writes_.empty()) return std::nullopt;
  WriteResponse response = gateway_.WriteAndWait(MakeWrite());
  charge_ += response.charge;
  if (!response.status.has_value()) {
    const Code code = response.status.error().code();
    // A document to be removed that is gone is not there to be compared.
    const bool gone = code == Code::kNotFound && response.failed_operation.has_value();
    if (code == Code::kPreconditionFailed || gone) return Conflict();
    return Fail(std::move(response.status).error());
  }
  session_ = std::move(response.session);
  return response.results.back().lsn;
}

WriteRequest TransactionView::MakeWrite() {
  WriteRequest request;
  request.container = container_;
  request.partition_key = partition_key_;
  request.size = WriteSize::kScript;
  for (const auto& [row_key, entry] : entries_) {
    if (entry.written) continue;
    WriteOperation& check = request.operations.emplace_back();
    check.kind = item::OperationKind::kCheck;
    check.row_key = entry.row_key;
    SetBase(check, entry.base);
  }
  std::ranges::move(writes_, std::back_inserter(request.operations));
  return request;
}

}  // namespace orrery::gateway
