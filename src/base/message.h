// The names of options and verbs in messages, which each door spells in its own way.
//
//   usage_error(option("max_record") + " is at least 1");        // --max-record is at least 1
//   usage_error("add " + option("shape", "stars"));              // add --shape stars
//   usage_error("look with " + switch_on("dry_run") + " first"); // look with --dry-run first
//   usage_error("use " + verb("recut"));                         // use twinset recut
//   usage_error("no output given: " + option("output", "DIR"));  // no output given: -o DIR
//
// Names are those of Option::name(). The functions give marks, "\0{max_record\0}", for
// render_message() of twinset/result.h. File names and command lines cannot hold a NUL. Ids and
// other texts of users can; what they contain is taken for a mark only if it is one in full, and
// then becomes a name that the user could have written.
//
// Threads: functions of their arguments.
#pragma once

#include <string>
#include <string_view>

namespace twinset {

/// An option that takes a value: "--max-record".
std::string option(std::string_view name);
/// With the value to give it, or with a word in capitals in its place: "--shape stars", "-o DIR".
std::string option(std::string_view name, std::string_view value);
/// An option without a value: "--dry-run".
std::string switch_on(std::string_view name);
/// "twinset labels show" of "labels show".
std::string verb(std::string_view name);

}  // namespace twinset
