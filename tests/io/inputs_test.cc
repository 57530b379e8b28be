#include "io/inputs.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/message.h"
#include "io/mail.h"
#include "support/streams.h"

namespace twinset {
namespace {

using testing::compressed;
using testing::ScratchFolder;

class Inputs : public ::testing::Test {
 protected:
  Result<InputList> expand(const std::vector<std::string>& names,
                           const std::vector<std::string>& references = {},
                           const std::string& format = "") {
    InputOptions options;
    for (const std::string& name : names) options.inputs.push_back(at(name));
    for (const std::string& name : references) options.references.push_back(at(name));
    options.format = format;
    options.spool = folder_ / "spool";
    return expand_inputs(disk(), options);
  }
  /// "name (format[+compression])" for each input.
  std::vector<std::string> names(const Result<InputList>& list) {
    std::vector<std::string> names;
    EXPECT_TRUE(list.ok()) << list.error().message;
    if (!list.ok()) return names;
    for (const Input& input : list.value().inputs) {
      std::string name = input.name + " " + std::string(input.format);
      if (input.markup == Markup::html && input.format != "html") name += " of html";
      EXPECT_TRUE(input.markup == Markup::html || input.format != "html") << name;
      if (input.compression == Compression::gzip) name += "+gzip";
      if (input.compression == Compression::zstd) name += "+zstd";
      if (input.reference) name = "reference " + name.substr(folder_.path().size() + 1);
      names.push_back(name);
    }
    return names;
  }
  std::string message(const Result<InputList>& list) {
    EXPECT_FALSE(list.ok());
    if (list.ok()) return "";
    EXPECT_EQ(list.error().code, ErrorCode::usage);
    return list.error().message;
  }
  std::string at(const std::string& name) { return name == "-" ? name : folder_ / name; }

  ScratchFolder folder_;
};

using Names = std::vector<std::string>;

TEST_F(Inputs, OneFileIsNamedByItself) {
  folder_.write("deep/down/a.jsonl", "{}\n");
  const Result<InputList> list = expand({"deep/down/a.jsonl"});
  EXPECT_EQ(names(list), (Names{"a.jsonl jsonl"}));
  const Input& input = list.value().inputs[0];
  EXPECT_EQ(input.path, at("deep/down/a.jsonl"));
  EXPECT_EQ(input.shown, at("deep/down/a.jsonl"));
  EXPECT_EQ(input.status.size, 3U);
  EXPECT_EQ(input.argument, 0U);
}

TEST_F(Inputs, NamesLieBelowTheCommonParent) {
  for (const char* name : {"x/a.jsonl", "x/y/b.jsonl", "x/y/c.txt"}) folder_.write(name, "{}\n");
  EXPECT_EQ(names(expand({"x/y/b.jsonl", "x/a.jsonl"})),
            (Names{"y/b.jsonl jsonl", "a.jsonl jsonl"}));
  EXPECT_EQ(names(expand({"x/y/b.jsonl", "x/y/c.txt"})), (Names{"b.jsonl jsonl", "c.txt text"}));
  EXPECT_EQ(names(expand({"x/y/../a.jsonl"})), (Names{"a.jsonl jsonl"}));
  // A folder's own name is not part of them, however few files it has.
  EXPECT_EQ(names(expand({"x/y"})), (Names{"b.jsonl jsonl", "c.txt text"}));
  EXPECT_EQ(names(expand({"x"})), (Names{"a.jsonl jsonl", "y/b.jsonl jsonl", "y/c.txt text"}));
}

TEST_F(Inputs, FoldersAreWalkedInByteOrder) {
  for (const char* name : {"d/b/2", "d/b/1", "d/a.txt", "d/B", "d/a-b"}) {
    folder_.write(name, "x");
  }
  EXPECT_EQ(names(expand({"d"})),
            (Names{"B text", "a-b text", "a.txt text", "b/1 text", "b/2 text"}));
  EXPECT_EQ(names(expand({"d/"})), names(expand({"d"})));
}

TEST_F(Inputs, PagesAreKnownByExtensionOrByWord) {
  const std::string line = "{\"text\": \"x\"}\n";
  folder_.write("d/a.html", "<p>x");
  folder_.write("d/b.HTM", "<p>x");
  folder_.write("d/c.xhtml.gz", compressed("<p>x", Compression::gzip));
  folder_.write("d/d.txt", "<p>x");
  folder_.write("d/e.jsonl", line);
  folder_.write("d/f.json", line);
  EXPECT_EQ(names(expand({"d"})), (Names{"a.html html", "b.HTM html", "c.xhtml.gz xhtml+gzip",
                                         "d.txt text", "e.jsonl jsonl", "f.json jsonl"}));
  folder_.write("d/g.json", "{\n}\n");
  EXPECT_EQ(names(expand({"d"}, {}, "html")),
            (Names{"a.html html", "b.HTM html", "c.xhtml.gz html+gzip", "d.txt html",
                   "e.jsonl jsonl of html", "f.json jsonl of html", "g.json html"}));
  // If the name does not tell, the first byte does.
  folder_.write("lines", line);
  folder_.write("page", " <p>x");
  EXPECT_EQ(names(expand({"lines", "page"}, {}, "html")),
            (Names{"lines jsonl of html", "page html"}));
  EXPECT_EQ(names(expand({"lines", "page"})), (Names{"lines jsonl", "page text"}));
  EXPECT_EQ(names(expand({"d/a.html"}, {}, "text")), (Names{"a.html text"}));
  EXPECT_EQ(names(expand({"d/a.html"}, {"d/e.jsonl"}, "html")),
            (Names{"reference d/e.jsonl jsonl of html", "a.html html"}));
}

TEST_F(Inputs, ExtensionsTellFormatAndCompression) {
  const std::string text = "{\"text\": \"x\"}\n";
  folder_.write("d/a.jsonl.gz", compressed(text, Compression::gzip));
  folder_.write("d/b.ndjson.zst", compressed(text, Compression::zstd));
  folder_.write("d/c.JSONL", text);
  folder_.write("d/changelog.gz", compressed(text, Compression::gzip));
  folder_.write("d/e.md", text);
  folder_.write("d/f.txt", text);
  EXPECT_EQ(names(expand({"d"})),
            (Names{"a.jsonl.gz jsonl+gzip", "b.ndjson.zst jsonl+zstd", "c.JSONL jsonl",
                   "changelog.gz jsonl+gzip", "e.md jsonl", "f.txt jsonl"}));
  folder_.write("d/f.txt", "{} text");
  EXPECT_EQ(names(expand({"d/f.txt"}, {}, "jsonl")), (Names{"f.txt jsonl"}));
  EXPECT_EQ(names(expand({"d/a.jsonl.gz"}, {}, "text")), (Names{"a.jsonl.gz text+gzip"}));
  EXPECT_EQ(
      message(expand({"d"}, {}, "docx")),
      "no format \"docx\"; there are arc, csv, eml, html, json, jsonl, lines, mbox, nitf, parquet, "
      "sgml, text, tsv, warc, xhtml, auto");
}

TEST_F(Inputs, AFileNamedByItselfIsLookedInto) {
  folder_.write("a", " \n {\"text\": \"x\"}\n");
  folder_.write("b", "plain");
  folder_.write("c", "");
  folder_.write("d.data.gz", compressed("{\"text\": \"x\"}\n", Compression::gzip));
  folder_.write("e", "\xef\xbb\xbf{}");
  EXPECT_EQ(names(expand({"a", "b", "c", "d.data.gz", "e"})),
            (Names{"a jsonl", "b text", "c jsonl", "d.data.gz jsonl+gzip", "e jsonl"}));
}

TEST_F(Inputs, JsonInFoldersIsLookedInto) {
  folder_.write("d/lines.json", "{\"text\": \"x\"}\n{\"text\": \"y\"}\n");
  folder_.write("d/one.json", "{\"text\": \"x\"}");
  folder_.write("d/other.json", "\"x\"");
  folder_.write("d/zipped.json.gz", compressed("{\"text\": \"x\"}\n", Compression::gzip));
  EXPECT_EQ(names(expand({"d"})), (Names{"lines.json jsonl", "one.json jsonl", "other.json text",
                                         "zipped.json.gz jsonl+gzip"}));
}

TEST_F(Inputs, HiddenFilesAndMarksOfProgramsAreNotRead) {
  for (const char* name : {"d/a.txt", "d/.a.txt.swp", "d/.git/config", "d/sub/.hidden/b",
                           "d/_SUCCESS", "d/_temporary/0/part-0", "d/part-0.crc", "d/_posts/c"}) {
    folder_.write(name, "words");
  }
  const Result<InputList> list = expand({"d"});
  EXPECT_EQ(names(list), (Names{"_posts/c text", "a.txt text"}));
  ASSERT_TRUE(list.ok());
  EXPECT_EQ(list.value().skipped.size(), 6U);
  EXPECT_EQ(list.value().skipped[0].find(at("d/.a.txt.swp") + ": hidden"), 0U);
  InputOptions all;
  all.inputs = {at("d")};
  all.hidden = true;
  EXPECT_EQ(expand_inputs(disk(), all).value().inputs.size(), 8U);
  // What is named is meant.
  EXPECT_EQ(names(expand({"d/.git"})), (Names{"config text"}));
  EXPECT_EQ(names(expand({"d/_SUCCESS"})), (Names{"_SUCCESS text"}));
}

TEST_F(Inputs, AMaildirIsItsReadAndNewMails) {
  if (!reads_mail()) GTEST_SKIP() << "a build without mail";
  const std::string mail = "Subject: x\n\nwords\n";
  for (const char* name :
       {"md/cur/2.host:2,S", "md/new/3.host", "md/tmp/4.host", "md/dovecot-uidlist", "md/cur/.hid",
        "md/.Sent/cur/1.host:2,RS", "md/.Sent/new/x", "md/.Sent/tmp/y", "md/.Sent/maildirfolder",
        "md/.nomail/cur", "md/more/a.txt"}) {
    folder_.write(name, std::string_view(name).starts_with("md/.Sent/new") ? "no mail" : mail);
  }
  const Result<InputList> list = expand({"md"});
  EXPECT_EQ(names(list), (Names{"cur/2.host:2,S eml", "more/a.txt text", "new/3.host eml",
                                ".Sent/cur/1.host:2,RS eml", ".Sent/new/x eml"}));
  EXPECT_EQ(list.value().skipped,
            (Names{at("md/.Sent/maildirfolder") + ": beside the mails of a Maildir",
                   at("md/.Sent/tmp") + ": mails that are still being delivered",
                   at("md/.nomail") + ": hidden, and not read without " + switch_on("hidden"),
                   at("md/cur/.hid") + ": hidden, and not read without " + switch_on("hidden"),
                   at("md/dovecot-uidlist") + ": beside the mails of a Maildir",
                   at("md/tmp") + ": mails that are still being delivered"}));
  // A folder of it, and a mail, are known by their place; a folder that is no Maildir is none.
  EXPECT_EQ(names(expand({"md/.Sent/new"})), Names{"x eml"});
  EXPECT_EQ(names(expand({"md/.Sent/new/x"})), Names{"x eml"});
  folder_.write("other/cur/x", "no mail");
  EXPECT_EQ(names(expand({"other"})), Names{"cur/x text"});
}

TEST_F(Inputs, PartsOfPagesAreNotReadBesidePages) {
  folder_.write("d/a.html", "<p>x");
  folder_.write("d/s.css?v=3", "p {}");
  folder_.write("d/x.js", "x();");
  folder_.write("code/x.js", "x();");
  EXPECT_EQ(names(expand({"d"})), (Names{"a.html html"}));
  EXPECT_EQ(names(expand({"code"})), (Names{"x.js text"}));
  InputOptions scripts;
  scripts.inputs = {at("d")};
  scripts.scripts = true;
  EXPECT_EQ(expand_inputs(disk(), scripts).value().inputs.size(), 3U);
}

TEST_F(Inputs, OddThingsInFoldersAreSkippedAndSaid) {
  folder_.write("d/a", "x");
  folder_.write("d/sub/b", "x");
  ASSERT_EQ(::symlink("..", at("d/sub/loop").c_str()), 0);
  ASSERT_EQ(::symlink("nowhere", at("d/dangling").c_str()), 0);
  ASSERT_EQ(::symlink("a", at("d/link").c_str()), 0);
  ASSERT_EQ(::symlink("sub", at("d/twin").c_str()), 0);
  ASSERT_EQ(::mkfifo(at("d/pipe").c_str(), 0600), 0);
  const Result<InputList> list = expand({"d"});
  EXPECT_EQ(names(list), (Names{"a text", "sub/b text"}));
  EXPECT_EQ(list.value().skipped,
            (Names{at("d/dangling") + ": vanished, or a link to nothing",
                   at("d/link") + ": the same file as " + at("d/a"),
                   at("d/pipe") + ": not a regular file",
                   at("d/sub/loop") + ": the same folder was already read as " + at("d"),
                   at("d/twin") + ": the same folder was already read as " + at("d/sub")}));
}

// Links found in a folder are followed if they lead out of it; otherwise the real name wins,
// however both sort.
TEST_F(Inputs, LinksCountOnceUnderTheRealName) {
  folder_.write("outside/x/deep", "1");
  folder_.write("d/m/real", "2");
  folder_.write("d/z", "3");
  ASSERT_EQ(::symlink("m", at("d/a").c_str()), 0);
  ASSERT_EQ(::symlink("z", at("d/b").c_str()), 0);
  ASSERT_EQ(::symlink("../outside/x", at("d/k").c_str()), 0);
  ASSERT_EQ(::symlink("../outside/x", at("d/l").c_str()), 0);
  ASSERT_EQ(::link(at("d/m/real").c_str(), at("d/n").c_str()), 0);
  const Result<InputList> list = expand({"d"});
  EXPECT_EQ(names(list), (Names{"k/deep text", "m/real text", "z text"}));
  EXPECT_EQ(list.value().skipped,
            (Names{at("d/a") + ": the same folder was already read as " + at("d/m"),
                   at("d/b") + ": the same file as " + at("d/z"),
                   at("d/l") + ": the same folder was already read as " + at("d/k"),
                   at("d/n") + ": the same file as " + at("d/m/real")}));
  // So does a file that is named before its folder, and a folder named twice by a link.
  ASSERT_EQ(::symlink("d", at("e").c_str()), 0);
  EXPECT_EQ(names(expand({"d", "e"})), (Names{"d/k/deep text", "d/m/real text", "d/z text"}));
  EXPECT_EQ(message(expand({"d", "e/z"})),
            at("d/z") + " and " + at("e/z") + " are one file; name it once");
}

// first_look_test tests the known kinds one by one.
TEST_F(Inputs, LostInputsAreAnErrorThatNamesThemAll) {
  folder_.write("d/a.jsonl", "{}\n");
  folder_.write("d/b.jsonl.gz", "{}\n");
  folder_.write("d/c.json", "{\n}\n");
  folder_.write("d/e.png", "\x89PNG\r\n\x1a\n");
  const std::string b = at("d/b.jsonl.gz") + " is not gzip but plain; rename it to ";
  const std::string told = message(expand({"d"}));
  EXPECT_EQ(told.find(b), 0U) << told;
  // What its name does not promise is skipped in a folder, and lost if it is named.
  EXPECT_EQ(told.find("c.json"), std::string::npos);
  EXPECT_NE(message(expand({"d/c.json"})).find("c.json is JSON over several"), std::string::npos);
  EXPECT_EQ(told.find("e.png"), std::string::npos);
  EXPECT_NE(message(expand({"d/e.png"})).find("e.png is a PNG picture"), std::string::npos);

  InputOptions options;
  options.inputs = {at("d")};
  options.allow_lost = true;
  const Result<InputList> list = expand_inputs(disk(), options);
  EXPECT_EQ(names(list), (Names{"a.jsonl jsonl"}));
  ASSERT_EQ(list.value().left_out.size(), 1U);
  EXPECT_EQ(list.value().left_out[0].shown, at("d/b.jsonl.gz"));
  EXPECT_EQ(list.value().left_out[0].why, Unread::wrong_extension);
  ASSERT_EQ(list.value().skipped.size(), 2U);
  EXPECT_EQ(list.value().skipped[1],
            at("d/e.png") + ": is a PNG picture, which twinset does not read");
  options.inputs = {at("d/b.jsonl.gz")};
  EXPECT_EQ(message(expand_inputs(disk(), options)).find("no input files in "), 0U);
}

TEST_F(Inputs, NamesThatAreNotUtf8AreShownApart) {
  EXPECT_EQ(shown_path("d/plain \xc3\xa9.txt"), "d/plain \xc3\xa9.txt");
  EXPECT_EQ(shown_path("d/bad\xff\xc3.txt"), "d/bad\\xff\\xc3.txt");
  folder_.write("d/bad\xff.txt", "x");
  folder_.write("d/bad\xfe.txt", "x");
  const Result<InputList> list = expand({"d"});
  ASSERT_EQ(list.value().inputs.size(), 2U);
  EXPECT_EQ(list.value().inputs[0].shown, at("d/bad\\xfe.txt"));
  EXPECT_EQ(list.value().inputs[1].shown, at("d/bad\\xff.txt"));
  EXPECT_EQ(list.value().inputs[1].name, "bad\xff.txt");
}

TEST_F(Inputs, GlobsAreExpanded) {
  for (const char* name : {"g/1.txt", "g/2.txt", "g/3.md", "g/[x].txt"}) folder_.write(name, "x");
  const Result<InputList> list = expand({"g/3.md", "g/[12].txt"});
  EXPECT_EQ(names(list), (Names{"3.md text", "1.txt text", "2.txt text"}));
  EXPECT_EQ(list.value().inputs[2].argument, 1U);
  // A file of just that name comes before the pattern.
  EXPECT_EQ(names(expand({"g/[x].txt"})), (Names{"[x].txt text"}));
  EXPECT_EQ(message(expand({"g/*.none"})), "no file matches " + at("g/*.none"));
}

TEST_F(Inputs, RefusesWhatCannotBeMeant) {
  folder_.write("d/a.txt", "x");
  folder_.write("e/a.txt", "x");
  ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
  ASSERT_EQ(::mkdir(at("empty").c_str(), 0700), 0);
  ASSERT_EQ(::symlink("d/a.txt", at("link").c_str()), 0);
  EXPECT_EQ(message(expand({"missing"})), "no such file: " + at("missing"));
  EXPECT_EQ(message(expand({"empty"})), "no input files in " + at("empty"));
  ASSERT_EQ(::symlink("nowhere", at("empty/link").c_str()), 0);
  EXPECT_EQ(message(expand({"empty"})), "no input files in " + at("empty") + "; skipped " +
                                            at("empty/link") + ": vanished, or a link to nothing");
  EXPECT_EQ(message(expand({})), "no input files");
  EXPECT_EQ(message(expand({"pipe"})),
            at("pipe") + " is neither a file nor a folder; pipe it in and name it -");
  const auto one_file = [&](const std::string& a, const std::string& b) {
    return at(a) + " and " + at(b) + " are one file; name it once";
  };
  EXPECT_EQ(message(expand({"d/a.txt", "d/a.txt"})), one_file("d/a.txt", "d/a.txt"));
  EXPECT_EQ(message(expand({"d/a.txt", "link"})), one_file("d/a.txt", "link"));
  EXPECT_EQ(message(expand({"d", "d/a.txt"})), one_file("d/a.txt", "d/a.txt"));
  EXPECT_EQ(message(expand({"d/a.txt"}, {"d/a.txt"})), one_file("d/a.txt", "d/a.txt"));
  EXPECT_EQ(message(expand({"d"}, {"d"})), one_file("d/a.txt", "d/a.txt"));
  // The same name in two folders is allowed.
  EXPECT_EQ(names(expand({"d/a.txt", "e/a.txt"})), (Names{"d/a.txt text", "e/a.txt text"}));
}

TEST_F(Inputs, ReferencesComeFirstUnderTheirOwnNames) {
  folder_.write("new/a.txt", "x");
  folder_.write("old/a.txt", "x");
  folder_.write("old/b.txt", "x");
  const Result<InputList> list = expand({"new/a.txt"}, {"old"});
  EXPECT_EQ(names(list),
            (Names{"reference old/a.txt text", "reference old/b.txt text", "a.txt text"}));
  EXPECT_EQ(list.value().inputs[1].argument, 0U);
  EXPECT_EQ(list.value().inputs[2].argument, 1U);
  EXPECT_EQ(message(expand({}, {"old"})), "no input files");
}

/// The disk, with other bytes at standard input.
class WithStandardInput final : public ForwardingFiles {
 public:
  explicit WithStandardInput(std::string path) : ForwardingFiles(disk()), path_(std::move(path)) {}
  Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode) override {
    return below().open(path == standard_input_path ? path_ : path, mode);
  }

 private:
  const std::string path_;
};

TEST_F(Inputs, StandardInputIsSpooled) {
  const std::string bytes = testing::sample_text(3'000'000);
  WithStandardInput files(folder_.write("piped", bytes));
  folder_.write("b.jsonl", "{}\n");
  folder_.write("spool", "left over");
  InputOptions options;
  options.inputs = {"-", at("b.jsonl")};
  options.spool = at("spool");
  const Result<InputList> list = expand_inputs(files, options);
  EXPECT_EQ(names(list), (Names{"stdin.jsonl jsonl", "b.jsonl jsonl"}));
  const Input& input = list.value().inputs[0];
  EXPECT_EQ(input.shown, "-");
  EXPECT_EQ(input.path, at("spool"));
  EXPECT_EQ(input.status.size, bytes.size());
  EXPECT_TRUE(folder_.read("spool") == bytes);

  // Packed input shows in its name; its other names mean the same.
  for (const char* name : {"-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"}) {
    WithStandardInput packed(folder_.write("zipped", compressed("{}\n", Compression::gzip)));
    options.inputs = {name};
    const Result<InputList> one = expand_inputs(packed, options);
    EXPECT_EQ(names(one), (Names{"stdin.jsonl.gz jsonl+gzip"}));
    EXPECT_EQ(one.value().inputs[0].shown, "-");
  }
  options.inputs = {"-", "/dev/stdin"};
  EXPECT_EQ(message(expand_inputs(files, options)),
            "- is named twice; standard input can be read once");
  options.inputs = {"-", folder_.write("stdin.jsonl", "{}\n")};
  EXPECT_EQ(message(expand_inputs(files, options)),
            "- and " + at("stdin.jsonl") + " would both be written as stdin.jsonl; rename one");
}

TEST_F(Inputs, LinesOfStandardInputAreReadAsTheyCome) {
  InputOptions options;
  options.inputs = {"-"};
  options.spool = at("spool");
  options.as_it_comes = true;
  const auto expanded = [&](const std::string& bytes) {
    WithStandardInput files(folder_.write("piped", bytes));
    return expand_inputs(files, options);
  };
  std::string lines;
  while (lines.size() < 200'000) lines += "{\"text\": \"a line\"}\n";
  const std::string blanks = "\n \r\n\n" + lines;
  for (const std::string& bytes : {lines, blanks}) {
    const Result<InputList> list = expanded(bytes);
    ASSERT_EQ(names(list), (Names{"stdin.jsonl jsonl"}));
    const Input& input = list.value().inputs[0];
    EXPECT_EQ(input.shown, "-");
    ASSERT_NE(input.stream, nullptr);
    EXPECT_FALSE(std::filesystem::exists(at("spool")));
    std::string read(bytes.size() + 1, '\0');
    std::size_t used = 0;
    const auto source = open_input(disk(), input, {});
    ASSERT_TRUE(source.ok());
    for (std::size_t got = 1; got > 0; used += got) {
      got = source.value()->read(read.data() + used, read.size() - used).value();
    }
    EXPECT_TRUE(read.substr(0, used) == bytes);
    EXPECT_EQ(open_input(disk(), input, {}).error().message, "- can be read only once");
  }
  // Anything else is looked at whole.
  const std::string page = "<!-- a page -->\n<html><body>words</body></html>\n";
  EXPECT_EQ(names(expanded(page)), (Names{"stdin.html html"}));
  EXPECT_EQ(folder_.read("spool"), page);
  EXPECT_EQ(names(expanded(compressed(lines, Compression::zstd))),
            (Names{"stdin.jsonl.zst jsonl+zstd"}));
  EXPECT_EQ(names(expanded("{\"text\": \"one without an end\"}")), (Names{"stdin.jsonl jsonl"}));
  EXPECT_EQ(names(expanded("")), (Names{"stdin.jsonl jsonl"}));
  EXPECT_EQ(names(expanded("[{\"text\": \"a\"}]\n")), (Names{"stdin.jsonl json"}));
  const std::string array = message(expanded("[[\"a\"]]\n"));
  EXPECT_NE(array.find("- is a JSON array"), std::string::npos) << array;
}

}  // namespace
}  // namespace twinset
