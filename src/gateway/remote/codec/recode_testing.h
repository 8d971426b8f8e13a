// Every message between gateways, read and written again: what tests and fuzzing hold all codecs of
// this module to.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "gateway/remote/codec/claim_codec.h"
#include "gateway/remote/codec/feed_piece_codec.h"
#include "gateway/remote/codec/index_codec.h"
#include "gateway/remote/codec/item_read_codec.h"
#include "gateway/remote/codec/item_write_codec.h"
#include "gateway/remote/codec/program_codec.h"
#include "gateway/remote/codec/row_page_codec.h"
#include "gateway/remote/codec/row_read_codec.h"
#include "gateway/remote/codec/row_write_codec.h"
#include "gateway/remote/codec/scan_codec.h"
#include "gateway/remote/codec/scan_group_codec.h"
#include "gateway/remote/envelope.h"
#include "gateway/remote/message.h"

namespace orrery::gateway {

using Recode = Result<std::string> (*)(std::string_view bytes);

inline Result<std::string> RecodeRequest(std::string_view bytes) {
  ORRERY_ASSIGN(const OpenedRequest opened, OpenRequest(bytes));
  return WrapRequest(opened.head, opened.body);
}
inline Result<std::string> RecodeAnswer(std::string_view bytes) {
  return WrapAnswer(OpenAnswer(bytes));
}
inline Result<std::string> RecodeItemWrite(std::string_view bytes) {
  ORRERY_ASSIGN(const ItemWrite write, DecodeItemWrite(bytes));
  return EncodeItemWrite(write.transaction, write.size);
}
inline Result<std::string> RecodeWriteResponse(std::string_view bytes) {
  ORRERY_ASSIGN(const WriteResponse response, DecodeWriteResponse(bytes));
  return EncodeWriteResponse(response);
}
inline Result<std::string> RecodeItemRead(std::string_view bytes) {
  ORRERY_ASSIGN(const ItemRead read, DecodeItemRead(bytes));
  return EncodeItemRead(read.key, read.session);
}
inline Result<std::string> RecodeReadResponse(std::string_view bytes) {
  ORRERY_ASSIGN(const ReadResponse response, DecodeReadResponse(std::string(bytes)));
  return EncodeReadResponse(response);
}
inline Result<std::string> RecodeScanPiece(std::string_view bytes) {
  ORRERY_ASSIGN(const ScanPiece piece, DecodeScanPiece(bytes));
  return EncodeScanPiece(piece.range, piece.inner, piece.spec, piece.target, piece.spec.limits,
                         piece.patience);
}
inline Result<std::string> RecodeScanAnswer(std::string_view bytes) {
  ORRERY_ASSIGN(const ScanPieceAnswer answer, DecodeScanAnswer(bytes));
  return EncodeScanAnswer(answer);
}
inline Result<std::string> RecodeFeedPiece(std::string_view bytes) {
  ORRERY_ASSIGN(const FeedPiece piece, DecodeFeedPiece(bytes));
  return EncodeFeedPiece(piece);
}
inline Result<std::string> RecodeFeedAnswer(std::string_view bytes) {
  ORRERY_ASSIGN(const FeedPieceAnswer answer, DecodeFeedAnswer(bytes));
  return EncodeFeedAnswer(answer);
}
inline Result<std::string> RecodeRowWrite(std::string_view bytes) {
  ORRERY_ASSIGN(const RowWrite write, DecodeRowWrite(bytes));
  return EncodeRowWrite(write.partition_key, write.changes, write.debt,
                        write.guard.has_value() ? &*write.guard : nullptr);
}
inline Result<std::string> RecodeRowWriteAnswer(std::string_view bytes) {
  ORRERY_ASSIGN(const RowWriteAnswer answer, DecodeRowWriteAnswer(bytes));
  return EncodeRowWriteAnswer(answer);
}
inline Result<std::string> RecodeRowRead(std::string_view bytes) {
  ORRERY_ASSIGN(const RowRead read, DecodeRowRead(bytes));
  return EncodeRowRead(read.partition_key, read.clustering, read.want_static_row);
}
inline Result<std::string> RecodeRowReadResponse(std::string_view bytes) {
  ORRERY_ASSIGN(const RowReadResponse response, DecodeRowReadResponse(bytes));
  return EncodeRowReadResponse(response);
}
inline Result<std::string> RecodeRowScanPiece(std::string_view bytes) {
  ORRERY_ASSIGN(const RowScanPiece piece, DecodeRowScanPiece(bytes));
  return EncodeRowScanPiece(piece);
}
inline Result<std::string> RecodeRowScanAnswer(std::string_view bytes) {
  ORRERY_ASSIGN(const RowPieceAnswer answer, DecodeRowScanAnswer(bytes));
  return EncodeRowScanAnswer(answer);
}
inline Result<std::string> RecodeRowFeedPiece(std::string_view bytes) {
  ORRERY_ASSIGN(const RowFeedPiece piece, DecodeRowFeedPiece(bytes));
  return EncodeRowFeedPiece(piece);
}
inline Result<std::string> RecodeRowFeedAnswer(std::string_view bytes) {
  ORRERY_ASSIGN(const RowFeedPieceAnswer answer, DecodeRowFeedAnswer(bytes));
  return EncodeRowFeedAnswer(answer);
}
inline Result<std::string> RecodeEstimates(std::string_view bytes) {
  ORRERY_ASSIGN(const auto estimates, DecodeEstimates(bytes));
  return EncodeEstimates(estimates);
}
inline Result<std::string> RecodeIndexPiece(std::string_view bytes) {
  ORRERY_ASSIGN(const IndexPiece piece, DecodeIndexPiece(bytes));
  return EncodeIndexPiece(piece);
}
inline Result<std::string> RecodeIndexBatch(std::string_view bytes) {
  ORRERY_ASSIGN(const IndexBatch batch, DecodeIndexBatch(bytes));
  return EncodeIndexBatch(batch);
}
inline Result<std::string> RecodeIndexDrop(std::string_view bytes) {
  ORRERY_ASSIGN(const IndexDrop drop, DecodeIndexDrop(bytes));
  return EncodeIndexDrop(drop);
}

inline Result<std::string> RecodeHolderQuestion(std::string_view bytes) {
  ORRERY_ASSIGN(const HolderQuestion question, DecodeHolderQuestion(bytes));
  return EncodeHolderQuestion(question);
}
inline Result<std::string> RecodeHolder(std::string_view bytes) {
  ORRERY_ASSIGN(const auto holder, DecodeHolder(bytes));
  return EncodeHolder(holder);
}

inline Result<std::string> RecodeProgramCall(std::string_view bytes) {
  ORRERY_ASSIGN(const ProgramCall call, DecodeProgramCall(bytes));
  return EncodeProgramCall(call);
}
inline Result<std::string> RecodeProgramAnswer(std::string_view bytes) {
  ORRERY_ASSIGN(const WriteResponse response, DecodeProgramAnswer(bytes));
  return EncodeProgramAnswer(response);
}

inline Result<std::string> RecodeScanGroup(std::string_view bytes) {
  ORRERY_ASSIGN(const std::vector<ScanPiece> pieces, DecodeScanGroup(bytes));
  std::vector<std::string> scans;
  for (const ScanPiece& piece : pieces) {
    scans.push_back(EncodeScanPiece(piece.range, piece.inner, piece.spec, piece.target,
                                    piece.spec.limits, piece.patience));
  }
  return EncodeScanGroup(scans);
}
inline Result<std::string> RecodeScanGroupAnswer(std::string_view bytes) {
  MessageReader in(bytes);
  ORRERY_ASSIGN(const auto answers, DecodeScanGroupAnswer(bytes, in.Count()));
  return EncodeScanGroupAnswer(answers);
}

// Kept corpora name a codec by its place: add at the end.
inline constexpr std::array<Recode, 29> kRecoders = {
    RecodeRequest,        RecodeAnswer,          RecodeItemWrite,    RecodeWriteResponse,
    RecodeItemRead,       RecodeReadResponse,    RecodeScanPiece,    RecodeScanAnswer,
    RecodeFeedPiece,      RecodeFeedAnswer,      RecodeRowWrite,     RecodeRowWriteAnswer,
    RecodeRowRead,        RecodeRowReadResponse, RecodeRowScanPiece, RecodeRowScanAnswer,
    RecodeRowFeedPiece,   RecodeRowFeedAnswer,   RecodeEstimates,    RecodeIndexPiece,
    RecodeIndexBatch,     RecodeIndexDrop,       RecodeScanPiece,  // by distance
    RecodeHolderQuestion, RecodeHolder,          RecodeProgramCall,  RecodeProgramAnswer,
    RecodeScanGroup,      RecodeScanGroupAnswer,
};

}  // namespace orrery::gateway
