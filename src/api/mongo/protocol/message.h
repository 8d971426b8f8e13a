// Messages of MongoDB's wire protocol: what clients send, taken apart, and replies as bytes.
//
//   message    := length:int32 request_id:int32 response_to:int32 opcode:int32 body
//   OP_MSG     := flags:uint32 section+ (checksum:uint32)?          (opcode 2013)
//   section    := 00 document | 01 size:int32 name:cstring document*
//   OP_QUERY   := flags:int32 namespace:cstring skip:int32 return:int32 document   (2004)
//   OP_REPLY   := flags:int32 cursor:int64 from:int32 count:int32 document*        (1)
//   compressed := opcode:int32 plain_size:int32 compressor:uint8 bytes             (2012)
//
// All integers are little-endian. A checksum is the CRC-32C of everything before it.
//
// Documents are validated here, once: whoever gets a Message may trust its BSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/mongo/protocol/compressor.h"
#include "base/status.h"
#include "model/document/document.h"

namespace orrery::mongo {

inline constexpr size_t kMessageBytesMax = 48'000'000;
inline constexpr size_t kHeaderBytes = 16;
inline constexpr size_t kBsonBytesMax = size_t{16} << 20;
// The bytes of a command beside the documents that it carries.
inline constexpr size_t kCommandBytesMax = kBsonBytesMax + (16 << 10);

enum class OpCode : int32_t { kReply = 1, kQuery = 2004, kCompressed = 2012, kMsg = 2013 };

inline constexpr uint32_t kChecksumPresent = 0x1;
inline constexpr uint32_t kMoreToCome = 0x2;
inline constexpr uint32_t kExhaustAllowed = 0x10000;

struct MessageHeader {
  int32_t length = 0;
  int32_t request_id = 0;
  int32_t response_to = 0;
  int32_t opcode = 0;
};
// Returns nullopt if `input` is shorter than a header.
std::optional<MessageHeader> ReadHeader(std::string_view input);

// Documents that stand beside the body, named as the field of the body that they stand for.
struct DocumentSequence {
  std::string_view name;
  std::vector<model::DocumentView> documents;
};

// A Message is one request. It owns its bytes, which the views point into.
struct Message {
  Message() = default;
  Message(const Message&) = delete;
  Message& operator=(const Message&) = delete;

  std::string bytes;  // of the message without its header
  int32_t request_id = 0;
  OpCode opcode = OpCode::kMsg;               // kMsg or kQuery
  uint32_t flags = 0;                         // of OP_MSG
  std::optional<Compressor> compressor = {};  // that the client used
  std::string_view query_namespace = {};      // of OP_QUERY: "admin.$cmd"
  model::DocumentView body = {};
  std::vector<DocumentSequence> sequences = {};

  bool wants_reply() const { return (flags & kMoreToCome) == 0; }
};

// The reason why a message could not be read.
struct MessageError {
  enum class Kind : uint8_t {
    kProtocol,  // the bytes are no message: the connection cannot go on
    kBson,      // a document in it is malformed: the client can be told so
  };
  Kind kind = Kind::kProtocol;
  std::string text{};
};

// Reads what follows the header into `message`, whose views then point into its own bytes. Also
// after an error of kind kBson its request_id and flags are set. REQUIRES: `body` has
// header.length - kHeaderBytes bytes.
std::expected<void, MessageError> ReadMessage(const MessageHeader& header, std::string_view body,
                                              Message& message);

// Appends a reply to `request_id`, compressed if a compressor is given and it pays.
// `reply_id` is that of the reply itself, which a further reply in a stream answers to.
void AppendMsg(std::string& out, int32_t request_id, uint32_t flags, model::DocumentView body,
               std::optional<Compressor> compressor, int32_t reply_id = 0);
// Appends an OP_REPLY with one document, as OP_QUERY is answered.
void AppendOpReply(std::string& out, int32_t request_id, model::DocumentView body);

}  // namespace orrery::mongo
