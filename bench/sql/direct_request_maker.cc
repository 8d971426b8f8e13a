#include "sql/direct_request_maker.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "api/sql/direct/protocol/ids.h"
#include "api/sql/direct/protocol/token.h"
#include "sql/document_maker.h"

namespace orrery::bench {
namespace {

using sql::direct::RequestToken;
using sql::direct::WireOperation;
using sql::direct::WireResource;

constexpr std::string_view kNoActivity = "................";

WireOperation OperationFor(RequestMaker::Post kind) {
  switch (kind) {
    case RequestMaker::Post::kDocument:
      return WireOperation::kCreate;
    case RequestMaker::Post::kUpsert:
      return WireOperation::kUpsert;
    case RequestMaker::Post::kBatch:
      return WireOperation::kBatch;
    case RequestMaker::Post::kQuery:
      return WireOperation::kQuery;
  }
  return WireOperation::kQuery;
}

// Writes one frame at the end of a buffer.
class FrameMaker {
 public:
  FrameMaker(std::string& out, WireOperation operation) : out_(out), begin_(out.size()) {
    sql::direct::AppendUInt32(out_, 0);
    sql::direct::AppendUInt16(out_, static_cast<uint16_t>(WireResource::kDocument));
    sql::direct::AppendUInt16(out_, static_cast<uint16_t>(operation));
    out_ += kNoActivity;
    sql::direct::AppendUInt32Token(out_, Id(RequestToken::kTransportRequestId), 0);
  }

  void Text(RequestToken id, std::string_view value) {
    sql::direct::AppendTextToken(out_, Id(id), value);
  }
  void Byte(RequestToken id, uint8_t value) { sql::direct::AppendByteToken(out_, Id(id), value); }
  void Number(RequestToken id, uint32_t value) {
    sql::direct::AppendUInt32Token(out_, Id(id), value);
  }

  void Finish(std::string_view body) {
    Byte(RequestToken::kPayloadPresent, body.empty() ? 0 : 1);
    const auto size = static_cast<uint32_t>(out_.size() - begin_);
    std::memcpy(out_.data() + begin_, &size, sizeof(size));
    if (body.empty()) return;
    sql::direct::AppendUInt32(out_, static_cast<uint32_t>(body.size()));
    out_ += body;
  }

 private:
  static uint16_t Id(RequestToken id) { return static_cast<uint16_t>(id); }

  std::string& out_;
  const size_t begin_;
};

}  // namespace

DirectRequestMaker::DirectRequestMaker(const SqlOptions& options, RequestMaker signer)
    : RequestMaker(std::move(signer)),
      database_(options.database),
      container_(options.container),
      post_signature_(SignatureOf("post", "docs", container_link())) {}

void DirectRequestMaker::AppendRead(uint64_t number, std::string& out) const {
  FrameMaker frame(out, WireOperation::kRead);
  frame.Text(RequestToken::kAuthorization, read_signature(number));
  frame.Text(RequestToken::kDate, date());
  frame.Text(RequestToken::kDatabaseName, database_);
  frame.Text(RequestToken::kContainerName, container_);
  frame.Text(RequestToken::kDocumentName, DocumentMaker::IdOf(number));
  frame.Text(RequestToken::kPartitionKey,
             fmt::format("[\"{}\"]", DocumentMaker::PartitionKeyOf(number)));
  frame.Finish("");
}

void DirectRequestMaker::AppendPost(Post kind, std::string_view partition_key,
                                    std::string_view body, uint64_t items_max,
                                    std::string& out) const {
  FrameMaker frame(out, OperationFor(kind));
  frame.Text(RequestToken::kAuthorization, post_signature_);
  frame.Text(RequestToken::kDate, date());
  frame.Text(RequestToken::kDatabaseName, database_);
  frame.Text(RequestToken::kContainerName, container_);
  if (!partition_key.empty())
    frame.Text(RequestToken::kPartitionKey, fmt::format("[\"{}\"]", partition_key));
  if (items_max > 0) frame.Number(RequestToken::kPageSize, static_cast<uint32_t>(items_max));
  if (kind == Post::kBatch) {
    frame.Byte(RequestToken::kBatchAtomic, 1);
    frame.Byte(RequestToken::kReturnPreference, 1);
  }
  frame.Finish(body);
}

}  // namespace orrery::bench
