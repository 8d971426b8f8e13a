// A CancellableSource gives the documents of another source for as long as the request that they
// are read for is wanted: it looks at the request's context before each document, so that a query
// whose client has gone, or whose time is over, ends between two documents, in whatever operator.
// Where a page may pause it does so between two documents, too, when the context says that it is
// late.
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
  // `may_pause`: the source has a position behind each document.
  CancellableSource(DocumentSource& source, const RequestContext& context, bool may_pause = false)
      : source_(source), context_(context), may_pause_(may_pause) {}

  // kCancelled when the request is not wanted any more.
  Result<bool> Next() override {
    if (context_.stop_reason() != StopReason::kNone) ORRERY_TRY(context_.Check());
    if (may_pause_ && has_given_ && context_.is_late()) {
      is_paused_ = !source_.exhausted();
      return false;
    }
    ORRERY_ASSIGN(has_given_, source_.Next());
    return has_given_;
  }
  bool paused() const override { return is_paused_ || source_.paused(); }
  bool exhausted() const override { return source_.exhausted(); }
  const model::Value& document() const override { return source_.document(); }
  std::string_view key() const override { return source_.key(); }
  std::string Position(Resume resume) const override { return source_.Position(resume); }

 private:
  DocumentSource& source_;
  const RequestContext& context_;
  const bool may_pause_;
  bool has_given_ = false;
  bool is_paused_ = false;
};

}  // namespace orrery::query
