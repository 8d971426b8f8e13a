// A ProgramRun is a DocumentProgram of an API as the sequencer runs it: it encodes the keys that
// the program names, and checks what it decides on as any other write request is checked.
//
// Immutable, so thread-safe.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "gateway/account/key_maker.h"
#include "gateway/program/document_program.h"
#include "item/container_schema.h"
#include "item/write/document_program.h"
#include "partition/limits.h"

namespace orrery::gateway {

class ProgramRun final : public item::DocumentProgram {
 public:
  using Program = std::shared_ptr<const gateway::DocumentProgram>;

  // `limits` must outlive it. kInvalidArgument when the program names an invalid row key.
  static Result<std::shared_ptr<const ProgramRun>> Make(
      Program program, std::shared_ptr<const item::ContainerSchema> schema, RoutedKey key,
      const partition::Limits& limits);

  const gateway::DocumentProgram& program() const { return *program_; }

  std::span<const std::string> reads() const override { return reads_; }
  std::span<const std::string> receipts() const override { return program_->receipts(); }
  Result<item::ProgramDecision> Decide(
      std::span<const std::optional<item::CurrentDocument>> documents, Micros now) const override;
  Result<item::ProgramDecision> DecideWithReceipts(
      std::span<const std::optional<item::CurrentDocument>> documents,
      std::span<const std::optional<std::string>> receipts, Micros now) const override;
  size_t bytes() const override { return bytes_; }

 private:
  ProgramRun(Program program, std::shared_ptr<const item::ContainerSchema> schema, RoutedKey key,
             const partition::Limits& limits)
      : program_(std::move(program)),
        schema_(std::move(schema)),
        key_(std::move(key)),
        limits_(limits) {}

  const Program program_;
  const std::shared_ptr<const item::ContainerSchema> schema_;
  const RoutedKey key_;
  const partition::Limits& limits_;
  std::vector<std::string> reads_;
  size_t bytes_ = 0;
};

}  // namespace orrery::gateway
