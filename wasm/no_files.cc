// What the schemes ask of files, where there are none: a parameter that names a file is an error.
//
// This file's interface is that of the rooms whose functions it stands in for; the rest is private.
#include "stats/tables.h"
#include "stats/term_file.h"
#include "system/files.h"
#include "twinset/result.h"

namespace twinset {
namespace {

/// Passes calls on to itself: there are none, because the functions below are all that would read.
class NoFiles final : public ForwardingFiles {
 public:
  NoFiles() : ForwardingFiles(*this) {}
};

Error no_file(const std::string& path) {
  return io_error(path + " cannot be read: a browser gives this module no files");
}

}  // namespace

FileSystem& disk() {
  static NoFiles none;
  return none;
}

Result<std::string> read_whole_file(FileSystem&, const std::string& path, std::uint64_t) {
  return no_file(path);
}

Result<Fingerprint> fingerprint_table(FileSystem&, const std::string& path) {
  return no_file(path);
}

Result<TermFile> TermFile::open_named(FileSystem&, const std::string& path) {
  return no_file(path);
}

Status TermFile::for_each(const std::function<Status(const CountedTerm&)>&) const {
  return no_file("a file of terms");
}

}  // namespace twinset
