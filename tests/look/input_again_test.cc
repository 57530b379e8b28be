#include "look/input_again.h"

#include "collection/output_lines.h"
#include "support_runs/small_run.h"
#include "system/forwarding_file.h"

namespace twinset {
namespace {

using testing::SmallRun;

class Again : public ::testing::Test {
 protected:
  void SetUp() override {
    small_.run();
    Result<OutputFolder> made = open_output_folder(disk(), small_.options.output);
    ASSERT_TRUE(made.ok()) << made.error().message;
    folder_.emplace(std::move(made).value());
    ASSERT_TRUE(for_each_line(disk(), folder_->file(removed_file_name),
                              [&](const JsonNode& line) -> Result<bool> {
                                removed_.push_back(read_place(line, ""));
                                return true;
                              })
                    .ok());
    ASSERT_EQ(removed_.size(), 3U);
  }
  /// Replaces the first `from` of the input.
  void edit(const std::string& from, const std::string& to) {
    std::string text = read_whole_file(disk(), small_.input, 1 << 20).value();
    text.replace(text.find(from), from.size(), to);
    ASSERT_TRUE(write_file_atomically(disk(), small_.input, text).ok());
  }
  std::vector<SeenText> texts() {
    Result<std::vector<SeenText>> read = read_texts(disk(), *folder_, removed_, 11, nullptr);
    EXPECT_TRUE(read.ok());
    return std::move(read).value();
  }
  bool same() {
    InputAgain again(disk(), *folder_, folder_->inputs[0], nullptr);
    const Result<bool> same = again.same();
    EXPECT_TRUE(same.ok());
    return same.value();
  }
  SmallRun small_;
  std::optional<OutputFolder> folder_;
  std::vector<RecordPlace> removed_;
};

TEST_F(Again, GivesTheRecordsOfTheRun) {
  InputAgain again(disk(), *folder_, folder_->inputs[0], nullptr);
  for (const std::uint64_t number : {2U, 4U, 6U}) {
    const Result<const Record*> found = again.find(number);
    ASSERT_TRUE(found.ok());
    ASSERT_NE(found.value(), nullptr);
    EXPECT_EQ(found.value()->number, number);
  }
  EXPECT_EQ(again.find(7).value(), nullptr);
  EXPECT_TRUE(again.same().value());
  const std::vector<SeenText> seen = texts();
  EXPECT_EQ(seen[0].text, "The library");
  EXPECT_EQ(seen[1].text, "THE LIBRARY");
}

// One letter of one record: no text of its input is shown.
TEST_F(Again, ATextThatIsNotTheRunsIsNeverShown) {
  edit("THE LIBRARY", "THE LIBRARx");
  EXPECT_FALSE(same());
  const std::vector<SeenText> seen = texts();
  for (const SeenText& one : seen) EXPECT_FALSE(one.text.has_value());
  EXPECT_NE(seen[1].missing.find("has changed since the run"), std::string::npos);
  // A record whose fingerprint is not known is shown if the whole input is the same.
  for (RecordPlace& place : removed_) place.fingerprint = 0;
  for (const SeenText& one : texts()) EXPECT_FALSE(one.text.has_value());
  edit("THE LIBRARx", "THE LIBRARY");
  EXPECT_TRUE(same());
  for (const SeenText& one : texts()) EXPECT_TRUE(one.text.has_value());
}

// Changes of other fields than the text count, and so do added or removed records.
TEST_F(Again, AnyChangeIsSeen) {
  edit("{\"id\":\"n5\"", "{\"id\":\"n6\"");
  EXPECT_FALSE(same());
  edit("{\"id\":\"n6\"", "{\"id\":\"n5\"");
  EXPECT_TRUE(same());
  std::string text = read_whole_file(disk(), small_.input, 1 << 20).value();
  ASSERT_TRUE(write_file_atomically(disk(), small_.input, text + "{\"text\":\"late\"}\n").ok());
  EXPECT_FALSE(same());
  InputAgain again(disk(), *folder_, folder_->inputs[0], nullptr);
  EXPECT_EQ(again.find(7).value(), nullptr);  // The run never saw it.
  ASSERT_TRUE(write_file_atomically(disk(), small_.input, text.substr(0, 100)).ok());
  EXPECT_FALSE(same());
}

/// A file whose first reading sets a flag.
class FlaggingFile : public ForwardingFile {
 public:
  FlaggingFile(std::unique_ptr<File> below, std::atomic<bool>& flag)
      : ForwardingFile(std::move(below)), flag_(flag) {}
  Result<std::size_t> read(char* out, std::size_t size) override {
    flag_ = true;
    return ForwardingFile::read(out, size);
  }

 private:
  std::atomic<bool>& flag_;
};

class FlaggingFiles : public ForwardingFiles {
 public:
  explicit FlaggingFiles(std::atomic<bool>& flag) : ForwardingFiles(disk()), flag_(flag) {}
  Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode) override {
    TWINSET_ASSIGN(std::unique_ptr<File> file, ForwardingFiles::open(path, mode));
    return std::unique_ptr<File>(std::make_unique<FlaggingFile>(std::move(file), flag_));
  }

 private:
  std::atomic<bool>& flag_;
};

// It is told as an error, not as a text that is missing.
TEST_F(Again, EndsInTheMidstOfAnInputWhenToldTo) {
  for (RecordPlace& place : removed_) place.fingerprint = 0;  // The whole input is to be read.
  std::atomic<bool> cancel = false;
  FlaggingFiles files(cancel);
  EXPECT_EQ(read_texts(files, *folder_, removed_, 11, &cancel).error().code,
            ErrorCode::interrupted);
  EXPECT_TRUE(cancel);
  cancel = false;
  InputAgain again(files, *folder_, folder_->inputs[0], &cancel);
  EXPECT_NE(again.find(6).value(), nullptr);
  EXPECT_EQ(again.find(7).error().code, ErrorCode::interrupted);
  EXPECT_EQ(again.same().error().code, ErrorCode::interrupted);
}

TEST_F(Again, AnInputThatIsGoneIsSaid) {
  std::filesystem::remove(small_.input);
  folder_.emplace(std::move(open_output_folder(disk(), small_.options.output)).value());
  for (const SeenText& one : texts()) {
    EXPECT_FALSE(one.text.has_value());
    EXPECT_NE(one.missing.find("there is no"), std::string::npos) << one.missing;
  }
}

}  // namespace
}  // namespace twinset
