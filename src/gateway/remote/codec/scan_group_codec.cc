#include "gateway/remote/codec/scan_group_codec.h"

#include <utility>

#include "gateway/remote/envelope.h"
#include "gateway/remote/message.h"

namespace orrery::gateway {

std::string EncodeScanGroup(std::span<const std::string> scans) {
  MessageWriter out;
  out.Number(scans.size());
  for (const std::string& scan : scans) out.Bytes(scan);
  return std::move(out).Take();
}

Result<std::vector<ScanPiece>> DecodeScanGroup(std::string_view bytes) {
  MessageReader in(bytes);
  std::vector<ScanPiece> pieces;
  const size_t count = in.Count();
  for (size_t i = 0; i < count && in.ok(); ++i) {
    const std::string_view scan = in.Bytes();
    if (!in.ok()) break;
    ORRERY_ASSIGN(ScanPiece piece, DecodeScanPiece(scan));
    pieces.push_back(std::move(piece));
  }
  ORRERY_TRY(in.End());
  return pieces;
}

std::string EncodeScanGroupAnswer(std::span<const Result<ScanPieceAnswer>> answers) {
  MessageWriter out;
  out.Number(answers.size());
  for (const Result<ScanPieceAnswer>& answer : answers) {
    AppendStatus(out, answer.has_value() ? Status() : Fail(answer.error()));
    if (answer.has_value()) out.Bytes(EncodeScanAnswer(*answer));
  }
  return std::move(out).Take();
}

Result<std::vector<Result<ScanPieceAnswer>>> DecodeScanGroupAnswer(std::string_view bytes,
                                                                   size_t count) {
  MessageReader in(bytes);
  if (in.Count() != count) in.Refuse();
  std::vector<Result<ScanPieceAnswer>> answers;
  for (size_t i = 0; i < count && in.ok(); ++i) {
    if (Status status = ReadStatus(in); !status.has_value()) {
      answers.push_back(Fail(std::move(status).error()));
      continue;
    }
    const std::string_view answer = in.Bytes();
    if (!in.ok()) break;
    ORRERY_ASSIGN(ScanPieceAnswer decoded, DecodeScanAnswer(answer));
    answers.push_back(std::move(decoded));
  }
  ORRERY_TRY(in.End());
  return answers;
}

}  // namespace orrery::gateway
