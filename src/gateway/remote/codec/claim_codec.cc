#include "gateway/remote/codec/claim_codec.h"

#include <utility>

#include "gateway/remote/message.h"

namespace orrery::gateway {

std::string EncodeHolderQuestion(const HolderQuestion& question) {
  MessageWriter out;
  out.Hash(question.hash);
  out.Bytes(question.claim);
  return std::move(out).Take();
}

Result<HolderQuestion> DecodeHolderQuestion(std::string_view bytes) {
  MessageReader in(bytes);
  HolderQuestion question;
  question.hash = in.Hash();
  question.claim = in.String();
  ORRERY_TRY(in.End());
  return question;
}

std::string EncodeHolder(const std::optional<std::string>& row_key) {
  MessageWriter out;
  out.Maybe(row_key);
  return std::move(out).Take();
}

Result<std::optional<std::string>> DecodeHolder(std::string_view bytes) {
  MessageReader in(bytes);
  std::optional<std::string> row_key = in.Maybe();
  ORRERY_TRY(in.End());
  return row_key;
}

}  // namespace orrery::gateway
