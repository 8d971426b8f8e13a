// Messages that ask the owner of a partition for its part of a page of the change feed of documents
// (kReadFeed).
//
//   feed   := place:feed mode:number key:bytes (00 | 01 expression)   ; place: page_codec.h
//   answer := position:number drained:flag examined:number complete_until:time charge n:number
//             entry*n
//   entry  := lsn:number key kind:number by_expiry:flag time previous:number (00 | 01 document)
//             (00 | 01 before:document) note:bytes seq:number
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"
#include "gateway/document_feed.h"
#include "gateway/remote/codec/page_codec.h"

namespace orrery::gateway {

struct FeedPiece {
  FeedPlace place;
  item::FeedMode mode = item::FeedMode::kLatestVersion;
  std::string key;                                            // encoded; empty for all
  std::shared_ptr<const model::Expression> filter = nullptr;  // FeedSpec::filter
};

std::string EncodeFeedPiece(const FeedPiece& piece);
Result<FeedPiece> DecodeFeedPiece(std::string_view bytes);

std::string EncodeFeedAnswer(const FeedPieceAnswer& answer);
Result<FeedPieceAnswer> DecodeFeedAnswer(std::string_view bytes);

}  // namespace orrery::gateway
