#include "api/mongo/protocol/compressor.h"

namespace orrery::mongo {

std::optional<Compressor> CompressorNamed(std::string_view name) {
  for (const Compressor one : {Compressor::kSnappy, Compressor::kZlib, Compressor::kZstd}) {
    if (CompressorName(one) == name) return one;
  }
  return std::nullopt;
}

std::optional<Compressor> CompressorNumbered(uint8_t number) {
  if (number > static_cast<uint8_t>(Compressor::kZstd)) return std::nullopt;
  return static_cast<Compressor>(number);
}

std::string_view CompressorName(Compressor compressor) {
  switch (compressor) {
    case Compressor::kNoop:
      return "noop";
    case Compressor::kSnappy:
      return "snappy";
    case Compressor::kZlib:
      return "zlib";
    case Compressor::kZstd:
      return "zstd";
  }
  return "";
}

}  // namespace orrery::mongo
