// The files of an archive: frames with checksums, so that damage is found before anything is done
// with it.
//
//   segment := "ORRERYSEG1\n" batch* footer        ; items of one container, a page after the other
//   file    := "ORRERYDOC1\n" document             ; the catalog, the manifest
//   frame   := type:uint8 size:uint32 crc:uint32 payload      ; big-endian
//   crc     := CRC-32C of type, size and payload
//   batch   := frame of type 1: gateway/archive/archive_batch.h
//   footer  := frame of type 2: container:number number:number last:flag items:number
//              mortal:number sum:hash continuation:bytes
//   document := frame of type 3: BSON
//
// The footer comes last: a segment without it was cut off. It has where the export goes on after
// it. docs/format/archive.md has the directory and a worked example. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "gateway/archive/archive_digest.h"
#include "model/document/document.h"

namespace orrery::cli {

// A segment ends with the page that reaches this.
inline constexpr size_t kSegmentBytes = size_t{16} << 20;
// No file of an archive is larger.
inline constexpr size_t kArchiveFileBytesMax = size_t{256} << 20;

struct Segment {
  uint32_t container = 0;  // its place in the catalog
  uint32_t number = 0;     // from 0
  bool last = false;       // of its container
  gateway::ArchiveDigest digest;
  std::string continuation;          // of the page after it
  std::vector<std::string> batches;  // encoded

  friend bool operator==(const Segment&, const Segment&) = default;
};

std::string EncodeSegment(const Segment& segment);
// kCorruption says what is wrong and where. The batches themselves are not looked into.
Result<Segment> DecodeSegment(std::string_view bytes);

std::string EncodeDocumentFile(model::DocumentView document);
Result<model::Document> DecodeDocumentFile(std::string_view bytes);

}  // namespace orrery::cli
