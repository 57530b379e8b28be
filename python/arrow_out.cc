// This file's interface is arrow_out.h; the rest is private.
#include "arrow_out.h"

#include <utility>

namespace twinset::python {
namespace {

void free_schema(ArrowSchema* schema) {
  for (std::int64_t i = 0; i < schema->n_children; ++i) {
    ArrowSchema* const child = schema->children[i];
    if (child->release != nullptr) child->release(child);
    delete child;
  }
  delete[] schema->children;
  delete static_cast<std::string*>(schema->private_data);
  schema->release = nullptr;
}

struct HeldArray {
  std::shared_ptr<const void> owner;
  std::vector<const void*> buffers;
};

void free_array(ArrowArray* array) {
  for (std::int64_t i = 0; i < array->n_children; ++i) {
    ArrowArray* const child = array->children[i];
    if (child->release != nullptr) child->release(child);
    delete child;
  }
  delete[] array->children;
  delete static_cast<HeldArray*>(array->private_data);
  array->release = nullptr;
}

}  // namespace

void make_schema(ArrowSchema& schema, const char* format, std::string name, std::size_t children) {
  constexpr std::int64_t nullable = 2;
  auto* const kept = new std::string(std::move(name));
  auto** const room = children == 0 ? nullptr : new ArrowSchema*[children];
  schema = {format, kept->c_str(), nullptr,     nullable, static_cast<std::int64_t>(children),
            room,   nullptr,       free_schema, kept};
}

void make_array(ArrowArray& array, std::shared_ptr<const void> owner, std::uint64_t rows,
                std::uint64_t missing, std::vector<const void*> buffers, std::size_t children) {
  auto* const held = new HeldArray{std::move(owner), std::move(buffers)};
  auto** const room = children == 0 ? nullptr : new ArrowArray*[children];
  array = {static_cast<std::int64_t>(rows),
           static_cast<std::int64_t>(missing),
           0,
           static_cast<std::int64_t>(held->buffers.size()),
           static_cast<std::int64_t>(children),
           held->buffers.data(),
           room,
           nullptr,
           free_array,
           held};
}

}  // namespace twinset::python
