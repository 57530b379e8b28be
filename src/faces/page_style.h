// The style sheet of the HTML report. System fonts; colors are variables with a light and a dark
// set; nothing is fetched.
//
// Threads: a constant.
#pragma once

#include <string_view>

namespace twinset {

inline constexpr std::string_view page_style = R"css(
:root{color-scheme:light dark;--page:#fbfaf8;--card:#fff;--ink:#23211e;--quiet:#6b665e;--rule:#e4e0d9;
--accent:#2f6f8f;--accent2:#b7791f;--kept:#4f8a5b;--same:#e6f0f4;--del:#fbe3df;--del-ink:#8a2c1d;
--ins:#e0f0dd;--ins-ink:#245c2c;--moved:#f6ecd2;--warn:#fff4d6;--warn-rule:#e2bf62;--shade:#f3f0eb}
@media (prefers-color-scheme:dark){:root{--page:#171a1d;--card:#1e2226;--ink:#e4e2dd;--quiet:#9d9a93;--rule:#33383d;
--accent:#6fb3d2;--accent2:#dba84e;--kept:#7dbb88;--same:#1f333d;--del:#47241f;--del-ink:#f3b5a9;
--ins:#1f3a25;--ins-ink:#a9dbb0;--moved:#413720;--warn:#3a3118;--warn-rule:#8a7230;--shade:#262b30}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;
font-variant-numeric:tabular-nums}
main,header,footer,nav{max-width:1120px;margin:0 auto;padding:0 24px}
header{padding-top:36px}
h1{font-size:1.75rem;font-weight:650;letter-spacing:-.015em;line-height:1.2;margin:0;overflow-wrap:anywhere}
h2{font-size:1.2rem;font-weight:650;margin:52px 0 4px}
h3{font-size:1rem;font-weight:600;margin:0}
p{margin:.4em 0}
a{color:var(--accent)}
code,.side,.id{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
code,.id{font-size:.875em;overflow-wrap:anywhere}
bdi{unicode-bidi:isolate}
.quiet{color:var(--quiet)}
.lead{max-width:68ch;color:var(--quiet);margin:0 0 16px}
.skip{position:absolute;left:-999px}
.skip:focus{left:8px;top:8px;background:var(--card);padding:6px 10px;z-index:1}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:3px}
header p{margin:.5em 0 0;overflow-wrap:anywhere}
nav{position:sticky;top:0;z-index:1;background:var(--page);display:flex;flex-wrap:wrap;gap:4px 18px;padding-top:10px!important;padding-bottom:10px!important;margin-bottom:12px!important}
section,.clusters li,.graph,.pair{scroll-margin-top:56px}
nav a{text-decoration:none;padding:3px 0}
nav a:hover{text-decoration:underline}
.warn{background:var(--warn);border-left:3px solid var(--warn-rule);padding:8px 14px;margin:0 0 8px;border-radius:3px;overflow-wrap:anywhere}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:12px;margin:0}
.tiles div{background:var(--card);border:1px solid var(--rule);border-radius:8px;padding:14px 16px}
.tiles dt{color:var(--quiet);font-size:.875rem}
.tiles dd{margin:0;font-size:1.6rem;font-weight:600;letter-spacing:-.01em;line-height:1.3}
.tiles dd small{display:block;font-size:.8125rem;font-weight:400;color:var(--quiet);letter-spacing:0}
.strip{display:block;width:100%;height:14px;margin:20px 0 8px;border-radius:4px}
.key{font-size:.875rem;color:var(--quiet);margin:4px 0;display:flex;flex-wrap:wrap;gap:2px 18px}
.key span{white-space:nowrap}
.swatch{display:inline-block;width:10px;height:10px;border-radius:2px;margin-right:6px;vertical-align:0}
.c-kept{fill:var(--kept);background:var(--kept)}
.c-identical{fill:#8c8579;background:#8c8579}
.c-lexical{fill:#b3aca0;background:#b3aca0}
.c-near,.s1{fill:var(--accent);background:var(--accent)}
.c-contained,.s2{fill:var(--accent2);background:var(--accent2)}
.c-filtered,.c-carried{fill:#8a74a8;background:#8a74a8}
.s3{fill:var(--kept);background:var(--kept)}
.c-quarantined{fill:#b5473a;background:#b5473a}
.scroll{overflow-x:auto;background:var(--card);border:1px solid var(--rule);border-radius:8px}
table{border-collapse:collapse;width:100%;font-size:.9375rem}
th,td{text-align:left;padding:7px 12px;border-bottom:1px solid var(--rule);vertical-align:top}
tbody tr:last-child td{border-bottom:0}
th{font-weight:500;color:var(--quiet);font-size:.8125rem;white-space:nowrap}
.n{text-align:right;white-space:nowrap}
td.name{min-width:180px;overflow-wrap:anywhere}
.meter{width:64px;height:8px;margin-right:10px}
.meter .track{fill:var(--shade)}
.meter .fill{fill:var(--accent)}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(330px,1fr));gap:16px}
.chart{margin:0;background:var(--card);border:1px solid var(--rule);border-radius:8px;padding:16px}
figcaption{font-weight:600;font-size:.9375rem}
figcaption .quiet{font-weight:400}
svg text{font:10.5px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;fill:var(--quiet);text-anchor:middle}
svg .count{fill:var(--ink)}
.chart svg{display:block;width:100%;height:auto;max-width:560px;margin:6px auto 0}
.graph figcaption{display:flex;gap:0 8px;align-items:baseline;white-space:nowrap}
.graph figcaption .id{overflow:hidden;text-overflow:ellipsis}
.graph p{font-size:.8125rem}
.edge{fill:none;stroke:var(--ink);stroke-width:1}
.dense .edge{stroke-width:.5;opacity:.6}
.e0{stroke:var(--accent2);stroke-dasharray:4 3}
.e1{stroke-opacity:.16}
.e2{stroke-opacity:.26}
.e3{stroke-opacity:.4}
.e4{stroke-opacity:.58}
.e5{stroke-opacity:.8}
.node{fill:var(--accent);stroke:var(--card);stroke-width:1}
.node.first{fill:var(--accent2)}
.clusters li:target,.pair:target h3{background:var(--moved)}
.hit{fill:transparent}
g:hover .hit{fill:var(--shade)}
.axis{stroke:var(--rule);stroke-width:1}
summary{cursor:pointer;color:var(--accent);padding:3px 0;font-size:.875rem}
.chart table{margin-top:6px;font-size:.8125rem}
.chart td,.chart th{padding:3px 8px}
.clusters{list-style:none;margin:0;padding:0;background:var(--card);border:1px solid var(--rule);border-radius:8px}
.clusters li{padding:11px 16px;border-bottom:1px solid var(--rule);display:grid;grid-template-columns:1.6em 1fr minmax(0,380px);gap:0 10px}
.clusters p{margin:0 0 6px;overflow-wrap:anywhere}
.words{display:block}
.clusters li:last-child{border-bottom:0}
.clusters .facts{text-align:right}
.fact{white-space:nowrap;margin-left:12px;font-size:.875rem;color:var(--quiet)}
.fact b{color:var(--ink);font-weight:600}
.facts .first{display:block;font-size:1rem}
h3+p .first{margin-left:0}
.clusters details{grid-column:2/-1;margin-top:-4px}
.clusters table{font-size:.875rem;margin:4px 0}
.clusters td{padding:5px 10px 5px 0}
.kind{display:inline-block;font-size:.75rem;font-weight:500;border:1px solid currentColor;border-radius:10px;padding:0 8px;margin-right:6px;color:var(--quiet)}
.kind.near{color:var(--accent)}
.kind.contained{color:var(--accent2)}
.pair{margin:0 0 28px}
.sides{background:var(--card);border:1px solid var(--rule);border-radius:8px;overflow:hidden;margin-top:8px}
.pair .sides{max-height:26rem;overflow-y:auto}
.pair:target .sides{max-height:none}
.row{display:grid;grid-template-columns:1fr 1fr;border-bottom:1px solid var(--rule)}
.row:last-child{border-bottom:0}
.side{padding:8px 14px;min-width:0;font-size:.8125rem;line-height:1.55;white-space:pre-wrap;overflow-wrap:anywhere;tab-size:4;unicode-bidi:plaintext}
.side:nth-child(2){border-left:1px solid var(--rule)}
.head{background:var(--shade)}
.head .side{font-family:inherit;white-space:normal;unicode-bidi:normal}
.role{font-weight:600;margin-right:4px}
mark{background:var(--same);color:inherit;border-radius:2px}
mark.moved{background:var(--moved)}
del{background:var(--del);color:var(--del-ink);text-decoration:none;border-radius:2px}
ins{background:var(--ins);color:var(--ins-ink);text-decoration:none;border-radius:2px}
.cut,.tag{font:italic .75rem/1 system-ui,sans-serif;color:var(--quiet);white-space:nowrap}
.skipped{font:italic .75rem/1.4 system-ui,sans-serif;color:var(--quiet);background:var(--shade);border-radius:2px}
.tag{font-style:normal;border:1px solid currentColor;border-radius:8px;padding:0 6px}
.more{color:var(--quiet);font-size:.875rem;padding:8px 14px;margin:0}
.run{margin:8px 0 16px;font-size:.9375rem}
.run div{display:grid;grid-template-columns:9em 1fr;gap:2px 18px}
.run dt{color:var(--quiet)}
.run small{display:block;color:var(--quiet)}
.run small:empty{display:none}
.run dd{margin:0;min-width:0;overflow-wrap:anywhere}
footer{color:var(--quiet);font-size:.875rem;margin-top:56px;padding-bottom:40px}
@media (max-width:640px){main,header,footer,nav{padding-left:16px;padding-right:16px}header{padding-top:22px}
h1{font-size:1.4rem}h2{margin-top:40px}.tiles{grid-template-columns:1fr 1fr;gap:8px}.tiles div{padding:10px 12px}.tiles dd{font-size:1.25rem}
.tiles div:last-child:nth-child(odd){grid-column:1/-1}td.name{min-width:124px}
.charts{grid-template-columns:1fr}.chart{padding:12px}
.clusters li{grid-template-columns:1.6em 1fr}.clusters .facts{grid-column:2;text-align:left}.fact{white-space:normal;margin-left:0;margin-right:12px}
.row{grid-template-columns:1fr}.side:nth-child(2){border-left:0}.side:empty{display:none}
.row.equal .side:nth-child(2){display:none}.row.head .side:nth-child(2){border-top:1px solid var(--rule)}
.run div{grid-template-columns:1fr}.run dd{margin-bottom:6px}nav{position:static}}
@media print{:root{--page:#fff;--card:#fff;--ink:#000;--quiet:#555;--rule:#ccc;--shade:#f3f3f3;--same:#eef4f7;--del:#fbe3df;--del-ink:#8a2c1d;--ins:#e0f0dd;--ins-ink:#245c2c;--moved:#f6ecd2}
body{font-size:10pt}main,header,footer{max-width:none;padding:0}nav,summary,.skip{display:none}.pair .sides{max-height:none}
h2,h3,.lead,.head{break-after:avoid}details:not([open]){display:none}.chart,.tiles div,.clusters li,tr,.row{break-inside:avoid}.scroll{overflow:visible}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}}
)css";

}  // namespace twinset
