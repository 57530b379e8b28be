// This file's interface is filter/message_check.h, and check_message() of twinset/filter.h.
#include "filter/message_check.h"

#include <string_view>
#include <utility>

#include "search/index.h"

namespace twinset {

QuerySettings message_query(const MessageSettings& settings) {
  QuerySettings query;
  query.resemblance = settings.resemblance;
  query.containment = settings.containment;
  query.top = 1;
  query.max_group = settings.max_group;
  query.time_limit = settings.time_limit;
  return query;
}

Result<FilterAnswer> judge_message(IndexFinder& finder, const RecordView& view,
                                   const QuerySettings& query) {
  FilterAnswer answer;
  answer.verdict = FilterVerdict::unknown;
  TWINSET_ASSIGN(IndexAnswer found, finder.find(view, query));
  if (!found.hits.empty()) {
    answer.verdict = FilterVerdict::match;
    answer.prototype = std::move(found.hits.front());
  } else if (found.timed_out) {
    answer.why = WhyUnknown::time_limit;
  } else if (!finder.has_keys()) {
    answer.why = WhyUnknown::no_signature;
  } else if (found.skipped > 0) {
    answer.why = WhyUnknown::common_keys;
  } else {
    answer.verdict = FilterVerdict::pass;
  }
  return answer;
}

Result<FilterAnswer> check_message(const Index& index, std::string_view text,
                                   const MessageSettings& settings, bool html) {
  TWINSET_TRY(check_text_bytes(text));
  const IndexSnapshot& snapshot = OpenIndex::snapshot(index);
  Record record;
  record.text = text;
  record.markup = html ? Markup::html : Markup::none;
  RecordView view(snapshot.signer().view());
  view.look_at(record);
  if (view.analysis().tokens.size() < least_tokens(settings)) return too_few_tokens();
  IndexFinder finder(snapshot);
  return judge_message(finder, view, message_query(settings));
}

}  // namespace twinset
