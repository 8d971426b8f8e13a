// The shapes of partial groups (model/aggregate/partial_groups.h), which owners of partitions give
// instead of documents.
//
// Immutable, so thread-safe.
#pragma once

#include <utility>
#include <vector>

#include "model/path/path.h"
#include "query/source/document_shaper.h"

namespace orrery::query {

// Gives groups as they are, for an OperatorPlan that merges them.
class GroupShaper final : public DocumentShaper {
 public:
  // `reads_document`: whether documents that are in groups count as read.
  explicit GroupShaper(bool reads_document) : reads_document_(reads_document) {}

  bool reads_document() const override { return reads_document_; }
  model::Value Shape(const item::ScannedItem& item) const override;

 private:
  const bool reads_document_;
};

// Gives a document that has the keys of a group at their paths, and nothing else: for an
// OperatorPlan that looks at these paths alone, and wants no row twice.
class GroupKeyShaper final : public DocumentShaper {
 public:
  // `paths`: of the grouping's keys, in their order. None is within another.
  GroupKeyShaper(std::vector<model::Path> paths, bool reads_document)
      : paths_(std::move(paths)), reads_document_(reads_document) {}

  bool reads_document() const override { return reads_document_; }
  model::Value Shape(const item::ScannedItem& item) const override;

 private:
  const std::vector<model::Path> paths_;
  const bool reads_document_;
};

}  // namespace orrery::query
