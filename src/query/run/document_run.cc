#include <utility>

#include "base/murmur3.h"
#include "query/operator/pipeline.h"
#include "query/run/page_run.h"

namespace orrery::query {
namespace {

class DocumentRun {
 public:
  DocumentRun(const PageContext& context, const std::optional<QueryToken>& token)
      : context_(context),
        pipeline_(context.plan, context.frame, context.documents, context.limits,
                  Pipeline::Until::kProjected),
        offset_(token.has_value() ? token->offset : context.plan.offset),
        limit_(token.has_value() ? token->limit : context.plan.limit) {
    if (token.has_value()) given_ = std::get<DocumentState>(token->state);
  }

  Result<Page> Run() {
    Page page;
    OutputRow row;
    while (limit_ != 0 && !page.IsFull(context_)) {
      ORRERY_ASSIGN(const bool found, pipeline_.Next(row));
      if (!found) {
        if (context_.documents->paused()) page.next = Behind();
        return page;
      }
      if (IsGiven()) continue;
      if (offset_ > 0) {
        --offset_;
        continue;
      }
      if (limit_.has_value()) --*limit_;
      page.Add(context_, row.value);
    }
    if (limit_ == 0 || (!may_join() && context_.documents->exhausted())) return page;
    page.next = may_join() ? Within() : Behind();
    return page;
  }

 private:
  bool may_join() const {
    return context_.plan.sources.size() > 1 ||
           context_.plan.sources.front().kind != SourceStep::Kind::kDocuments;
  }

  // Counts the row among those of its document.
  bool IsGiven() {
    if (context_.documents->key() != key_) {
      key_ = context_.documents->key();
      rows_ = 0;
    }
    ++rows_;
    return rows_ <= given_.rows && Murmur3(key_).high == given_.key;
  }

  QueryToken Behind() const {
    return TokenOf({.position = context_.documents->Position(DocumentSource::Resume::kBehind),
                    .key = 0,
                    .rows = 0});
  }
  QueryToken Within() const {
    return TokenOf({.position = context_.documents->Position(DocumentSource::Resume::kWith),
                    .key = Murmur3(key_).high,
                    .rows = rows_});
  }
  QueryToken TokenOf(DocumentState state) const {
    return {.api = context_.api,
            .query = context_.query_hash,
            .offset = offset_,
            .limit = limit_,
            .state = std::move(state)};
  }

  const PageContext& context_;
  Pipeline pipeline_;
  uint64_t offset_;
  std::optional<uint64_t> limit_;
  DocumentState given_;  // by the page before
  std::string key_;      // of the document that the last row is of
  uint64_t rows_ = 0;    // how many it has had so far
};

}  // namespace

Result<Page> RunDocuments(const PageContext& context, const std::optional<QueryToken>& token) {
  return DocumentRun(context, token).Run();
}

}  // namespace orrery::query
