// While the page is read, the content of each element that may have a shadow tree is held as parts
// of one slot each, on a stack; they are kept if the element turns out to have one. At the end,
// slots and parts meet by sorting. A walk over the nodes, which are hosts and slots by their places
// in the page, lists the parts as they are shown. It has a stack of its own, so depth does no harm.
//
// This file's interface is text/html_shadow.h; the rest is private.
#include "text/html_shadow.h"

#include <algorithm>
#include <tuple>

#include "base/hash.h"

namespace twinset::html {
namespace {

constexpr std::string_view white_space = " \t\n\f\r";

bool is_slot(std::string_view name) {
  return std::ranges::equal(name, std::string_view("slot"), {},
                            [](char c) { return c >= 'A' && c <= 'Z' ? c | 0x20 : c; });
}

}  // namespace

void ShadowTrees::open(PagePlace content) {
  Element element;
  element.content = content;
  element.lights = static_cast<std::uint32_t>(open_lights_.size());
  element.may_host = open_.may_host();
  elements_.push_back(element);
}

void ShadowTrees::end_light(std::uint32_t at) {
  const Element& element = elements_.back();
  if (open_lights_.size() == element.lights) return;
  if (Light& last = open_lights_.back(); last.end == 0) last.end = at;
}

void ShadowTrees::close(PagePlace at, std::uint32_t behind) {
  end_light(at.at);
  const Element element = elements_.back();
  elements_.pop_back();
  if (element.is_template) {
    Root& root = roots_[element.root];
    root.end = at;
    root.behind = behind;
    open_roots_.pop_back();
  } else if (element.root != none) {
    for (std::size_t i = element.lights; i < open_lights_.size(); ++i) {
      lights_.push_back(open_lights_[i]);
      lights_.back().root = element.root;
    }
  }
  if (element.node != none) nodes_[element.node].end = at;
  open_lights_.resize(element.lights);
}

void ShadowTrees::follow(const OpenElements::Change& change, PagePlace at, std::uint32_t behind) {
  if (change.begins_body) {
    elements_.push_back({.content = at, .may_host = true});
  }
  while (elements_.size() > change.kept) close(at, behind);
}

void ShadowTrees::add_child(std::uint64_t slot, PagePlace at) {
  if (elements_.empty()) return;
  const Element& parent = elements_.back();
  if (!parent.may_host) return;
  if (open_lights_.size() > parent.lights) {
    Light& last = open_lights_.back();
    if (last.end == 0 && last.slot == slot) return;
    if (last.end == 0) last.end = at.at;
  }
  open_lights_.push_back({.slot = slot, .begin = at});
}

void ShadowTrees::text(std::string_view run, PagePlace begin) {
  if (!open_.has_body()) {
    const std::size_t space = std::min(run.find_first_not_of(white_space), run.size());
    if (space == run.size()) return;
    begin.at += static_cast<std::uint32_t>(space);
  }
  follow(open_.text(), begin, begin.at);
  add_child(checksum({}), begin);
}

void ShadowTrees::start(const StartTag& tag) {
  const OpenElements::Change change = open_.start(tag.name, tag.closed, tag.around);
  const std::size_t kept = change.kept;
  follow(change, tag.begin, tag.begin.at);
  if (change.makes_child) add_child(checksum(tag.slot), tag.begin);
  if (!change.opens) return;
  open({tag.end, 0});
  if (open_roots_.empty() || tag.around == Around::foreign || !is_slot(tag.name)) return;
  elements_[kept].node = static_cast<std::uint32_t>(nodes_.size());
  slots_.push_back({open_roots_.back(), checksum(tag.name_of_slot), elements_[kept].node});
  nodes_.push_back({.begin = elements_[kept].content});
}

bool ShadowTrees::declare(PagePlace begin, std::uint32_t end) {
  if (!open_.may_host() || elements_.back().root != none) return false;
  end_light(begin.at);
  Element& host = elements_.back();
  host.root = static_cast<std::uint32_t>(roots_.size());
  host.node = static_cast<std::uint32_t>(nodes_.size());
  nodes_.push_back({.begin = host.content, .root = host.root});
  roots_.push_back({.begin = begin, .content = end});
  open_roots_.push_back(host.root);
  const std::uint32_t root = host.root;
  open_.open_template();
  open({end, 0});
  elements_.back().is_template = true;
  elements_.back().root = root;
  return true;
}

void ShadowTrees::end(std::string_view name, PagePlace begin, std::uint32_t end) {
  const OpenElements::Change change = open_.end(name);
  follow(change, begin, end);
  if (change.makes_child) add_child(checksum({}), begin);
}

/// Gives each slot the parts of its host's content that have its name. Of slots of one name the
/// first takes all.
void ShadowTrees::assign() {
  std::ranges::sort(lights_, {}, [](const Light& light) {
    return std::tuple(light.root, light.slot, light.begin.at);
  });
  std::ranges::sort(slots_, {}, [&](const Slot& slot) {
    return std::tuple(slot.root, slot.name, nodes_[slot.node].begin.at);
  });
  const auto key_of_light = [](const Light& light) { return std::pair(light.root, light.slot); };
  const Slot* before = nullptr;
  for (const Slot& slot : slots_) {
    const bool first = before == nullptr ||
                       std::pair(before->root, before->name) != std::pair(slot.root, slot.name);
    before = &slot;
    if (!first) continue;
    const std::pair key(slot.root, slot.name);
    const auto taken = std::ranges::lower_bound(lights_, key, {}, key_of_light);
    const auto other = std::ranges::upper_bound(lights_, key, {}, key_of_light);
    nodes_[slot.node].first = static_cast<std::uint32_t>(taken - lights_.begin());
    nodes_[slot.node].last = static_cast<std::uint32_t>(other - lights_.begin());
  }
  std::ranges::sort(nodes_, {}, [](const Node& node) { return node.begin.at; });
}

std::uint32_t ShadowTrees::first_node_after(std::uint32_t at) const {
  const auto found =
      std::ranges::upper_bound(nodes_, at, {}, [](const Node& node) { return node.begin.at; });
  return static_cast<std::uint32_t>(found - nodes_.begin());
}

/// A range of the page, from the place that is reached, with the nodes in it.
struct ShadowTrees::Walk {
  PagePlace at{};
  std::uint32_t end = 0;
  std::uint32_t node = 0;     ///< the next one
  std::uint32_t root = none;  ///< whose content it is
  std::uint32_t light = 0;    ///< of a slot: the part of the host's content,
  std::uint32_t last = 0;     ///< up to here
};

std::vector<ShownPart> ShadowTrees::parts(std::uint32_t page_bytes) {
  while (!elements_.empty()) close({page_bytes, 0}, page_bytes);
  assign();
  std::vector<ShownPart> shown;
  const auto show = [&](PagePlace begin, std::uint32_t end, bool tree) {
    if (begin.at < end) shown.push_back({begin, end, tree});
  };
  const auto walk_light = [&](std::uint32_t light, std::uint32_t last) {
    const Light& part = lights_[light];
    return Walk{part.begin, part.end, first_node_after(part.begin.at), none, light, last};
  };
  std::vector<Walk> walks{{.end = page_bytes}};
  while (!walks.empty()) {
    Walk& walk = walks.back();
    // The content of an empty element begins where the range may end.
    if (walk.node < nodes_.size() && nodes_[walk.node].begin.at <= walk.end) {
      const std::uint32_t at = walk.node;
      const Node& node = nodes_[at];
      show(walk.at, node.begin.at, false);
      walk.at = node.end;
      walk.node = first_node_after(node.end.at);
      if (node.root != none) {
        const Root& root = roots_[node.root];
        show(root.begin, root.content, true);
        walks.push_back(
            {{root.content, 0}, root.end.at, first_node_after(root.content), node.root});
      } else if (node.first != node.last) {
        walks.push_back(walk_light(node.first, node.last));
      } else {
        walks.push_back({node.begin, node.end.at, at + 1});
      }
      continue;
    }
    show(walk.at, walk.end, false);
    if (walk.root != none) show(roots_[walk.root].end, roots_[walk.root].behind, true);
    if (walk.light + 1 < walk.last) {
      walk = walk_light(walk.light + 1, walk.last);
    } else {
      walks.pop_back();
    }
  }
  return shown;
}

}  // namespace twinset::html
