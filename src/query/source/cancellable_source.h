// A CancellableSource gives the documents of another source for as long as the request that they
// are read for is wanted: it looks at the request's context before each document, so that a query
// whose client has gone, or whose time is over, ends between two documents, in whatever operator.
//
// Used by one thread at a time. Source and context must outlive it.
#pragma once

#include <string>
#include <string_view>

#include "base/request_context.h"
#include "query/source/document_source.h"

namespace orrery::query {

class CancellableSource final : public DocumentSource {
 public:
  CancellableSource(DocumentSource& source, const RequestContext& context)
      : source_(source), context_(context) {}

  // kCancelled when the request is not wanted any more.
  Result<bool> Next() override {
    if (context_.stop_reason() != StopReason::kNone) ORRERY_TRY(context_.Check());
    return source_.Next();
  }
  bool paused() const override { return source_.paused(); }
  bool exhausted() const override { return source_.exhausted(); }
  const model::Value& document() const override { return source_.document(); }
  std::string_view key() const override { return source_.key(); }
  std::string Position(Resume resume) const override { return source_.Position(resume); }

 private:
  DocumentSource& source_;
  const RequestContext& context_;
};

}  // namespace orrery::query
