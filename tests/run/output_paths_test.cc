// Where a run may write: nothing that exists, nothing among its inputs, no path twice.
#include "run/output_paths.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "collection/file_collection.h"
#include "support/scratch_folder.h"

namespace twinset {
namespace {

class OutputPathsTest : public ::testing::Test {
 protected:
  OutputPathsTest() {
    std::filesystem::create_directories(folder_ / "in");
    put("in/a.jsonl");
    put("there.html");
    verb_.output = folder_ / "out";
    verb_.works_in = WorksIn::own;
  }
  void put(const std::string& name) const { std::ofstream(folder_ / name) << "{}\n"; }
  OutputPaths paths() const { return {verb_, disk()}; }
  static std::string said(const Status& status) {
    return status.ok() ? "" : status.error().text(Door::command_line);
  }
  std::string apart() const {
    const std::vector<std::string> inputs{folder_ / "in"};
    const auto collection = FileCollection::find(disk(), {inputs, {}, "", "", false});
    EXPECT_TRUE(collection.ok());
    return said(paths().check_apart(inputs, *collection.value()));
  }

  testing::ScratchFolder folder_;
  VerbOptions verb_;
};

TEST_F(OutputPathsTest, NewFilesAreNewApartAndTheirFoldersThere) {
  verb_.new_files = {{"output", folder_ / "x.labels"}, {"list", ""}};
  EXPECT_EQ(said(paths().check_new_files()), "");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "x.labels"));
  verb_.new_files[1].path = folder_ / "x.labels";
  EXPECT_EQ(said(paths().check_new_files()),
            "-o and --list would both make " + (folder_ / "x.labels") + "; choose another name");
  // However the path is written; and a file that another run is making stays as it is.
  verb_.new_files[1].path = folder_ / "./x.labels";
  EXPECT_NE(said(paths().check_new_files()).find("would both make"), std::string::npos);
  verb_.new_files[1].path = folder_ / "y.txt";
  put("y.txt.partial");
  EXPECT_EQ(said(paths().check_new_files()), "");
  EXPECT_EQ(folder_.read("y.txt.partial"), "{}\n");
  verb_.new_files[1].path = folder_ / "there.html";
  EXPECT_EQ(said(paths().check_new_files()),
            "--list " + (folder_ / "there.html") + " exists; twinset overwrites nothing");
  verb_.new_files[1].path = folder_ / "nowhere/x.txt";
  EXPECT_NE(said(paths().check_new_files()).find("there is no folder"), std::string::npos);
}

TEST_F(OutputPathsTest, AReportBesideNoFolderIsANewFileWithItsFacts) {
  verb_.report = folder_ / "new.html";
  verb_.new_files = {{"output", folder_ / "new.json"}};
  EXPECT_EQ(said(paths().check_new_files()),
            "-o and --report would both make " + (folder_ / "new.json") + "; choose another name");
  // The output folder of a run has names of its own, and a run that continues has made its report.
  verb_.works_in = WorksIn::folder;
  EXPECT_EQ(said(paths().check_new_files()), "");
}

TEST_F(OutputPathsTest, AFolderIsNotAmongTheInputs) {
  verb_.works_in = WorksIn::folder;
  EXPECT_EQ(apart(), "");
  verb_.output = folder_ / "in/out";
  EXPECT_NE(apart().find("lies in the input"), std::string::npos);
  verb_.output = folder_ / ".";
  EXPECT_NE(apart().find("lies in the output"), std::string::npos);
  // A run that makes no folder has none that could be in the way.
  verb_.works_in = WorksIn::own;
  EXPECT_EQ(apart(), "");
}

TEST_F(OutputPathsTest, AReportIsNoInputAndKeepsItsPlaceInTheOutput) {
  verb_.works_in = WorksIn::folder;
  verb_.report = folder_ / "in/a.jsonl";
  EXPECT_NE(apart().find("is an input"), std::string::npos);
  verb_.report = folder_ / "out/report.html";
  EXPECT_EQ(apart(), "");
  EXPECT_EQ(paths().report_in_work_folder(), verb_.output + ".partial/out/report.html");
  verb_.report = folder_ / "out/deep/report.html";
  EXPECT_NE(apart().find("a file right in it"), std::string::npos);
  verb_.report = folder_ / "out/summary.html";
  EXPECT_NE(apart().find("would write its facts over"), std::string::npos);
  verb_.report = folder_ / "there.html";
  EXPECT_EQ(paths().report_in_work_folder(), "");
  EXPECT_NE(said(paths().check_report_is_new()), "");
  EXPECT_NE(said(paths().check_report_stands()).find("there.json is missing"), std::string::npos);
}

TEST(Within, NeedsAWholeName) {
  EXPECT_TRUE(within("/a/b", "/a"));
  EXPECT_TRUE(within("/a", "/a"));
  EXPECT_TRUE(within("/a", "/"));
  EXPECT_FALSE(within("/ab", "/a"));
  EXPECT_FALSE(within("/a", "/a/b"));
}

}  // namespace
}  // namespace twinset
