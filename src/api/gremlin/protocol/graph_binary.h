// GraphBinary 1: Gremlin values as bytes, big-endian.
//
//   value  := type:uint8 flag:uint8 payload      ; flag 01: null, without a payload
//   string := length:int32 bytes                  ; bare in fixed places, a value (03 00 ..)
//   elsewhere list   := count:int32 value* map    := count:int32 (value value)* vertex := id:value
//   label:string properties:value
//
// graph_binary_types.h has the codes of all types.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/gremlin/value/value.h"
#include "base/status.h"

namespace orrery::gremlin {

struct ResultItem;

inline constexpr int kBinaryDepthMax = 128;

// Reads foreign bytes. Every call is kInvalidArgument when they are malformed or end too early;
// kUnsupported for lambdas and types that no request needs. `bytes` must outlive it.
class GraphBinaryReader {
 public:
  explicit GraphBinaryReader(std::string_view bytes) : rest_(bytes) {}

  bool at_end() const { return rest_.empty(); }
  Result<uint8_t> TakeByte();
  Result<int32_t> TakeInt();
  Result<int64_t> TakeLong();
  Result<UuidBytes> TakeUuid();
  Result<std::string> TakeString();  // bare
  Result<Value> TakeMap();           // bare
  Result<Value> Take();              // with type and flag

 private:
  // Returns how many items follow, each of which takes `bytes_min` bytes at least.
  Result<size_t> TakeCount(size_t bytes_min);
  Result<std::string_view> TakeBytes(size_t count);
  Result<Value> TakePayload(uint8_t type);
  Result<Values> TakeItems();
  Result<Value> TakeBytecode();
  Result<Value> TakePredicate();
  Result<Value> TakeVertex();
  Result<Value> TakeEdge();
  Result<Value> TakeEnum(uint8_t type);
  Result<Value> TakeBigDecimal();
  Result<Value> TakeStrategy();

  std::string_view rest_;
  int depth_ = 0;
};

class GraphBinaryWriter {
 public:
  // With `as_strings` every result is its text.
  GraphBinaryWriter(bool with_properties, bool as_strings)
      : with_properties_(with_properties), as_strings_(as_strings) {}

  void PutByte(uint8_t byte) { out_ += static_cast<char>(byte); }
  void PutInt(int32_t number);
  void PutLong(int64_t number);
  void PutUuid(const UuidBytes& uuid);
  void PutString(std::string_view text);  // bare
  void PutMap(const ValueMap& map);
  void PutMetrics(const ValueMap& map);  // bare
  void Put(const Value& value);          // with type and flag
  void PutResults(const std::vector<ResultItem>& items, bool as_traversers);

  std::string Finish() && { return std::move(out_); }

 private:
  void PutType(uint8_t type);
  void PutNull();
  void PutItems(const Values& items);
  void PutDouble(double number);
  void PutVertex(const Vertex& vertex);
  void PutEdge(const Edge& edge);
  void PutVertexProperty(const VertexPropertyRef& property);
  void PutProperty(const PropertyRef& property);
  void PutPath(const Path& path);
  void PutTree(const Tree& tree);
  void PutGraph(const Graph& graph);
  void PutEnum(const EnumConstant& constant);
  void PutBig(const Value& number);

  std::string out_;
  const bool with_properties_;
  const bool as_strings_;
};

}  // namespace orrery::gremlin
