// Document frequencies that are compiled in, one df file a language: wherever a df file is named,
// the name of a language, such as german, stands for that of the program. A file of the same name
// is reached as ./german. tools/df_tables.py makes them.
//
// Threads: pure functions over constants.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/hash.h"
#include "system/files.h"
#include "twinset/result.h"

namespace twinset {

/// "english, french, ... or spanish".
const std::string& table_names();
bool is_built_in_table(std::string_view name);

/// For reading. `name` is one.
std::unique_ptr<File> open_built_in_table(std::string_view name);
/// The fingerprint of its bytes, or else of the file of this path. Errors: as FileSystem::open().
Result<Fingerprint> fingerprint_table(FileSystem& files, const std::string& path);

}  // namespace twinset
