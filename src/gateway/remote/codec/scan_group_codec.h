// Messages that ask the owner of several partitions for its parts of pages (kScanManyItems).
//
//   scans   := n:number scan:bytes*n                          ; scan_codec.h
//   answers := n:number (00 answer:bytes | 01 error)*n        ; in the order of the scans
//   ; the error is that of one piece (envelope.h); the others are not affected
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "gateway/remote/codec/scan_codec.h"

namespace orrery::gateway {

// `scans`: encoded by EncodeScanPiece.
std::string EncodeScanGroup(std::span<const std::string> scans);
Result<std::vector<ScanPiece>> DecodeScanGroup(std::string_view bytes);

std::string EncodeScanGroupAnswer(std::span<const Result<ScanPieceAnswer>> answers);
// kInvalidArgument unless it has `count` answers.
Result<std::vector<Result<ScanPieceAnswer>>> DecodeScanGroupAnswer(std::string_view bytes,
                                                                   size_t count);

}  // namespace orrery::gateway
