// Signed requests of the SQL API as the bytes that go over the wire.
//
// A signature covers verb, type, link and date: reads need one for each document, everything that
// is posted to the container shares one. All are made beforehand, so that a run does not measure
// the generator's own HMAC; they hold for 15 minutes.
//
// Immutable after construction; shared between threads.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "sql/sql_options.h"

namespace orrery::bench {

class RequestMaker {
 public:
  static constexpr std::string_view kVersion = "2018-12-31";  // of the API

  enum class Post : uint8_t { kDocument, kUpsert, kBatch, kQuery };

  // For reads of the documents 0 to reads - 1. kInvalidArgument when the key is not base64.
  static Result<RequestMaker> Create(const SqlOptions& options, uint64_t reads, Micros now);

  virtual ~RequestMaker() = default;
  RequestMaker(RequestMaker&&) = default;

  // REQUIRES: number < reads.
  virtual void AppendRead(uint64_t number, std::string& out) const;
  // Without a partition key (empty) it is a query over all of them. `items_max` of 0: no limit.
  virtual void AppendPost(Post kind, std::string_view partition_key, std::string_view body,
                          uint64_t items_max, std::string& out) const;

  // The header `authorization` of a request with the header x-ms-date: date().
  std::string SignatureOf(std::string_view verb, std::string_view type,
                          std::string_view link) const;
  const std::string& date() const { return date_; }

 protected:
  const std::string& container_link() const { return container_link_; }
  const std::string& read_signature(uint64_t number) const { return read_signatures_[number]; }

 private:
  RequestMaker(const SqlOptions& options, std::string secret, Micros now);

  const std::string secret_;
  const std::string date_;
  const std::string host_;
  const std::string container_link_;  // "dbs/<name>/colls/<name>"
  std::string post_head_;             // of everything posted to the container
  std::vector<std::string> read_signatures_;
};

}  // namespace orrery::bench
