// The parts of a profile that say where its values come from.
//
// Threads: pure functions.
#pragma once

#include <string>
#include <vector>

#include "twinset/calibrate.h"

namespace twinset {

/// "checked" of a profile: the chosen values on the half that did not choose them.
std::string checked_json(std::vector<CalibrationClass> classes);
/// "made" of a profile.
std::string origin_json(Calibration calibration, std::vector<std::string> inputs);

}  // namespace twinset
