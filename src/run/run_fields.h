// The fields of the facts of every run, and its inputs.
//
//   std::vector<Field> fields = {{"spans", &summary.spans}, analyzer_field(summary)};
//   add_fields(fields, trouble_fields(summary));
//   fields.push_back(inputs_field(summary));
//   fields.push_back(run_field(summary));
//
// The parts stand apart since a summary has its own fields between them.
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/field.h"
#include "twinset/run.h"

namespace twinset {

std::vector<Field> fields_of(Interval& interval);
std::vector<Field> fields_of(StageTime& time);
std::vector<Field> fields_of(OutputFile& file);
/// Those that are needed to read the input again, without its name and its role.
std::vector<Field> reading_fields(InputFacts& input);
std::vector<Field> fields_of(InputFacts& input);
std::vector<Field> fields_of(LostInput& lost);
std::vector<Field> fields_of(CountedRecords& counted);
std::vector<Field> fields_of(GuessedInputs& guessed);
std::vector<Field> fields_of(LeftOutContent& content);
std::vector<Field> fields_of(DecodedTexts& decoded);
std::vector<Field> fields_of(WithoutSignature& without);
std::vector<Field> fields_of(SignedCoordinates& coordinates);
std::vector<Field> fields_of(FoundByEdits& found);
std::vector<Field> fields_of(RunFacts& facts);
/// A document by id, file and record.
std::vector<Field> place_fields(NamedDocument& document);

/// A string that holds a JSON value.
Field json_field(std::string_view name, std::string& value, std::string_view help);
/// Sixteen hexadecimal digits.
TextForm checksum_form(std::uint64_t& checksum);
/// Its name and version.
Field analyzer_field(RunFacts& facts);
/// Left out if the run's scheme makes no signatures.
Field without_signature_field(RunFacts& facts);
/// Left out if the run's scheme has no coordinates.
Field coordinates_field(RunFacts& facts);
Field by_edits_field(RunFacts& facts);
Field lost_inputs_field(std::vector<LostInput>& lost);
/// Skipped paths, lost inputs, invalid text.
std::vector<Field> input_trouble_fields(RunFacts& facts);
/// The same after the warnings.
std::vector<Field> trouble_fields(RunFacts& facts);
/// "files", one a line.
Field inputs_field(RunFacts& facts);
/// All fields of the summary of a shard's run, and nothing of what its verb decides.
std::vector<Field> shard_fields(std::string& shard, RunFacts& facts);
/// "run": what may differ between two runs of one command.
Field run_field(RunFacts& facts);

}  // namespace twinset
