#include "run/stored_rows.h"

namespace twinset {

void note_parts(const std::vector<PartLength>& parts, const std::string& name, StateFile& file) {
  file.set(name + ".parts", parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string part = name + ".part." + std::to_string(i);
    file.set(part + ".path", parts[i].path);
    file.set(part + ".bytes", parts[i].bytes);
    file.set(part + ".rows", parts[i].rows);
    file.keep_file(parts[i].path);
  }
}

std::vector<PartLength> noted_parts(const StateFile& file, const std::string& name) {
  std::vector<PartLength> parts(file.number(name + ".parts"));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string part = name + ".part." + std::to_string(i);
    parts[i] = {file.text(part + ".path"), file.number(part + ".bytes"),
                file.number(part + ".rows")};
  }
  return parts;
}

}  // namespace twinset
