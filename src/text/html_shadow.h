// The parts of a page with declared shadow trees, in the order in which a browser shows them (the
// flattened tree of CSS Scoping 3.1): in place of an element's content its shadow tree, and in
// place of each slot what is assigned to it, or else the slot's own content.
//
//   <x-a>1<template shadowrootmode=open><slot name=s></slot>, <slot></slot></template>
//   <b slot=s>2</b></x-a>          // shows "2, 1"
//
// The reader of pages (text/html.cc) goes through the page once and tells a ShadowTrees of the tags
// and the text; then it reads the parts. Each byte is in one part at most, so nothing is read
// twice.
//
// O(page log page) time, memory for the open elements and for each slot, host and change of slot.
//
// Threads: a ShadowTrees belongs to one.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "text/html_nesting.h"

namespace twinset::html {

/// A place of the page, and how many svg and math are open there.
struct PagePlace {
  std::uint32_t at = 0;
  std::uint32_t foreign = 0;
};

struct ShownPart {
  PagePlace begin;
  std::uint32_t end = 0;
  bool tree = false;  ///< the start or end tag of a shadow tree's template
};

class ShadowTrees {
 public:
  /// A start tag that is not of a hidden template.
  struct StartTag {
    std::string_view name;
    bool closed = false;  ///< can have no elements in it
    Around around = Around::html;
    PagePlace begin;
    std::uint32_t end = 0;
    std::string_view slot;  ///< the value of this attribute; so with `name_of_slot`, if a slot's
    std::string_view name_of_slot;
  };

  /// The text from there up to the next "<", or the content of a CDATA section.
  void text(std::string_view run, PagePlace begin);
  void start(const StartTag& tag);
  /// A template that asks to be the shadow tree of the innermost open element. False if that may
  /// not have one, or has one: then the template is hidden.
  bool declare(PagePlace begin, std::uint32_t end);
  void end(std::string_view name, PagePlace begin, std::uint32_t end);

  /// Call it once, at the end of the page.
  std::vector<ShownPart> parts(std::uint32_t page_bytes);

 private:
  static constexpr std::uint32_t none = static_cast<std::uint32_t>(-1);

  /// A part of a host's content that one slot takes.
  struct Light {
    std::uint64_t slot = 0;
    std::uint32_t root = 0;
    PagePlace begin;
    std::uint32_t end = 0;  ///< 0: not yet known
  };
  struct Root {
    PagePlace begin;  ///< its template's start tag
    std::uint32_t content = 0;
    PagePlace end{};  ///< its end tag
    std::uint32_t behind = 0;
  };
  /// The content of a host or of a slot in a shadow tree.
  struct Node {
    PagePlace begin;
    PagePlace end{};
    std::uint32_t root = none;  ///< of a host
    std::uint32_t first = 0;    ///< to a slot: lights_[first, last)
    std::uint32_t last = 0;
  };
  struct Slot {
    std::uint32_t root = 0;  ///< that it is in
    std::uint64_t name = 0;
    std::uint32_t node = 0;
  };
  struct Element {
    PagePlace content;
    std::uint32_t lights = 0;  ///< its own begin here in open_lights_
    std::uint32_t root = none;
    std::uint32_t node = none;
    bool may_host = false;
    bool is_template = false;  ///< of `root`
  };
  struct Walk;

  void follow(const OpenElements::Change& change, PagePlace at, std::uint32_t behind);
  void open(PagePlace content);
  void close(PagePlace at, std::uint32_t behind);
  void add_child(std::uint64_t slot, PagePlace at);
  void end_light(std::uint32_t at);
  void assign();
  std::uint32_t first_node_after(std::uint32_t at) const;

  OpenElements open_;
  std::vector<Element> elements_;  ///< those of open_
  std::vector<Light> open_lights_;
  std::vector<std::uint32_t> open_roots_;
  std::vector<Light> lights_;
  std::vector<Root> roots_;
  std::vector<Node> nodes_;
  std::vector<Slot> slots_;
};

}  // namespace twinset::html
