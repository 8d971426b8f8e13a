#include "cli/archive/segment.h"

#include <fmt/format.h>

#include <utility>

#include "base/bytes.h"
#include "base/crc32c.h"
#include "gateway/remote/message.h"

namespace orrery::cli {
namespace {

constexpr std::string_view kSegmentMagic = "ORRERYSEG1\n";
constexpr std::string_view kDocumentMagic = "ORRERYDOC1\n";

enum class FrameType : uint8_t { kBatch = 1, kFooter = 2, kDocument = 3 };

struct Frame {
  FrameType type{};
  std::string_view payload;
};

void AppendFrame(std::string& out, FrameType type, std::string_view payload) {
  std::string head;
  head.push_back(static_cast<char>(type));
  AppendBigEndian(head, static_cast<uint32_t>(payload.size()));
  out += head;
  AppendBigEndian(out, Crc32c(Crc32c(0, head), payload));
  out += payload;
}

// Reads frames one after the other; errors name the byte where the frame begins.
class FrameReader {
 public:
  static Result<FrameReader> Open(std::string_view bytes, std::string_view magic) {
    if (!bytes.starts_with(magic))
      return Fail(Code::kCorruption, "it does not begin as a file of an archive does");
    return FrameReader(bytes, magic.size());
  }

  bool at_end() const { return reader_.empty(); }

  Result<Frame> Next() {
    const size_t begin = whole_.size() - reader_.rest().size();
    const std::string_view head = reader_.rest().substr(0, 5);
    uint8_t type = 0;
    uint32_t size = 0;
    uint32_t crc = 0;
    Frame frame;
    if (!reader_.ReadBigEndian(type) || !reader_.ReadBigEndian(size) ||
        !reader_.ReadBigEndian(crc) || !reader_.ReadBytes(size, frame.payload)) {
      return Fail(Code::kCorruption, fmt::format("it is cut off in the frame at byte {}", begin));
    }
    if (Crc32c(Crc32c(0, head), frame.payload) != crc)
      return Fail(Code::kCorruption, fmt::format("the checksum at byte {} is wrong", begin));
    frame.type = static_cast<FrameType>(type);
    return frame;
  }

 private:
  FrameReader(std::string_view bytes, size_t begin) : whole_(bytes), reader_(bytes.substr(begin)) {}

  std::string_view whole_;
  ByteReader reader_;
};

std::string EncodeFooter(const Segment& segment) {
  gateway::MessageWriter out;
  out.Number(segment.container);
  out.Number(segment.number);
  out.Flag(segment.last);
  out.Number(segment.digest.items);
  out.Number(segment.digest.mortal);
  out.Hash(segment.digest.sum);
  out.Bytes(segment.continuation);
  return std::move(out).Take();
}

Status DecodeFooter(std::string_view bytes, Segment& segment) {
  gateway::MessageReader in(bytes);
  segment.container = static_cast<uint32_t>(in.Number(UINT32_MAX));
  segment.number = static_cast<uint32_t>(in.Number(UINT32_MAX));
  segment.last = in.Flag();
  segment.digest.items = in.Number();
  segment.digest.mortal = in.Number(segment.digest.items);
  segment.digest.sum = in.Hash();
  segment.continuation = in.String();
  if (!in.End().has_value() || segment.last != segment.continuation.empty())
    return Fail(Code::kCorruption, "its footer makes no sense");
  return {};
}

}  // namespace

std::string EncodeSegment(const Segment& segment) {
  std::string out(kSegmentMagic);
  for (const std::string& batch : segment.batches) AppendFrame(out, FrameType::kBatch, batch);
  AppendFrame(out, FrameType::kFooter, EncodeFooter(segment));
  return out;
}

Result<Segment> DecodeSegment(std::string_view bytes) {
  ORRERY_ASSIGN(FrameReader frames, FrameReader::Open(bytes, kSegmentMagic));
  Segment segment;
  while (!frames.at_end()) {
    ORRERY_ASSIGN(const Frame frame, frames.Next());
    if (frame.type == FrameType::kBatch) {
      segment.batches.emplace_back(frame.payload);
    } else if (frame.type == FrameType::kFooter && frames.at_end()) {
      ORRERY_TRY(DecodeFooter(frame.payload, segment));
      return segment;
    } else {
      return Fail(Code::kCorruption, "it has a frame that does not belong there");
    }
  }
  return Fail(Code::kCorruption, "its end is missing");
}

std::string EncodeDocumentFile(model::DocumentView document) {
  std::string out(kDocumentMagic);
  AppendFrame(out, FrameType::kDocument, document.bson());
  return out;
}

Result<model::Document> DecodeDocumentFile(std::string_view bytes) {
  ORRERY_ASSIGN(FrameReader frames, FrameReader::Open(bytes, kDocumentMagic));
  ORRERY_ASSIGN(const Frame frame, frames.Next());
  if (frame.type != FrameType::kDocument || !frames.at_end())
    return Fail(Code::kCorruption, "it has a frame that does not belong there");
  auto document = model::Document::FromBson(std::string(frame.payload));
  if (!document.has_value()) return Fail(Code::kCorruption, document.error().message());
  return document;
}

}  // namespace orrery::cli
