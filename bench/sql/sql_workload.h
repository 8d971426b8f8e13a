// A SqlWorkload is the requests to the SQL API. A read counts only with a document of the right
// size, a query only with as many documents as it must find.
#pragma once

#include <cstdint>
#include <string>

#include "load/http/http_workload.h"
#include "load/key_chooser.h"
#include "sql/document_maker.h"
#include "sql/request_maker.h"
#include "sql/sql_options.h"

namespace orrery::bench {

class SqlWorkload final : public HttpWorkload {
 public:
  // The number of documents that the ordered query wants, and of a page of a scan.
  static constexpr uint64_t kTopDocuments = 10;
  static constexpr uint64_t kScanDocuments = 1'000;

  // `requests` and `documents` must outlive this. REQUIRES: kind is not kNone.
  SqlWorkload(SqlWorkloadKind kind, KeyChooser keys, const RequestMaker& requests,
              const DocumentMaker& documents);
  // Writes documents in batches of so many over what is there; a key is the number of a batch.
  static SqlWorkload Loading(uint64_t batch, KeyChooser batches, const RequestMaker& requests,
                             const DocumentMaker& documents);

  OperationKind Next(std::string& out) override;
  bool IsGood(const HttpAnswer& answer) const override;

 private:
  void MakeQuery(uint64_t number, std::string& out);
  void MakeLoad(uint64_t batch, std::string& out);

  const SqlWorkloadKind kind_;
  KeyChooser keys_;
  const RequestMaker& requests_;
  const DocumentMaker& documents_;
  uint64_t batch_ = 0;  // 0: this does not load
  std::string body_;
};

}  // namespace orrery::bench
