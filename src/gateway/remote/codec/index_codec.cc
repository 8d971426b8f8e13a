#include "gateway/remote/codec/index_codec.h"

#include <utility>

#include "gateway/remote/message.h"

namespace orrery::gateway {

std::string EncodeIndexPiece(const IndexPiece& piece) {
  MessageWriter out;
  out.Range(piece.range);
  out.Maybe(piece.inner);
  out.Number(piece.rows.size());
  for (const uint32_t id : piece.rows) out.Number(id);
  return std::move(out).Take();
}

Result<IndexPiece> DecodeIndexPiece(std::string_view bytes) {
  MessageReader in(bytes);
  IndexPiece piece;
  piece.range = in.Range();
  piece.inner = in.Maybe();
  const size_t count = in.Count();
  for (size_t i = 0; i < count && in.ok(); ++i)
    piece.rows.push_back(static_cast<uint32_t>(in.Number(UINT32_MAX)));
  ORRERY_TRY(in.End());
  return piece;
}

std::string EncodeIndexBatch(const IndexBatch& batch) {
  MessageWriter out;
  out.Number(batch.items);
  out.Maybe(batch.next);
  out.Bytes(batch.conflict);
  return std::move(out).Take();
}

Result<IndexBatch> DecodeIndexBatch(std::string_view bytes) {
  MessageReader in(bytes);
  IndexBatch batch;
  batch.items = in.Number();
  batch.next = in.Maybe();
  batch.conflict = in.String();
  ORRERY_TRY(in.End());
  return batch;
}

std::string EncodeIndexDrop(const IndexDrop& drop) {
  MessageWriter out;
  out.Range(drop.range);
  out.Number(drop.index.value());
  return std::move(out).Take();
}

Result<IndexDrop> DecodeIndexDrop(std::string_view bytes) {
  MessageReader in(bytes);
  IndexDrop drop;
  drop.range = in.Range();
  drop.index = item::IndexId(in.Number());
  ORRERY_TRY(in.End());
  return drop;
}

}  // namespace orrery::gateway
