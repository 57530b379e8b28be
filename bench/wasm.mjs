// How fast the module for browsers cuts pages, beside the same core compiled for this machine. CPU time of each,
// in turn; `python3 tests/wasm/run.py --bench` unpacks the pages and runs it.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import { Labels, RULES, load, nativeDoor } from '../tests/wasm/setup.mjs';

const paths = fs.readdirSync(process.env.TWINSET_MANUAL).map((name) => path.join(process.env.TWINSET_MANUAL, name));
const pages = paths.map((one) => fs.readFileSync(one));
const megabytes = pages.reduce((sum, page) => sum + page.length, 0) / 1e6;
const core = await load();
const none = Labels.from([]);

function seconds(use) {
  const began = process.cpuUsage();
  for (const page of pages) use(page);
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1e6;
}

const number = (value) => value.toFixed(0);
console.log(`${pages.length} pages, ${number(megabytes)} MB; MB/s, best of 3\n`);
console.log('| Rules | native | WebAssembly | of native | with its objects |\n|---|--:|--:|--:|--:|');
for (const [rules, lines] of RULES) {
  const best = { native: Infinity, module: Infinity, objects: Infinity };
  for (let i = 0; i < 3; ++i) {
    const said = execFileSync(nativeDoor(), [lines, 'time'], { input: paths.map((one) => one + '\n').join('') });
    best.native = Math.min(best.native, Number(said));
    best.module = Math.min(best.module, seconds((page) => core.contains(none, page, rules)));
    best.objects = Math.min(best.objects, seconds((page) => core.chunk(page, rules)));
  }
  const speed = (taken) => number(megabytes / taken);
  console.log(`| \`${core.rules(rules)}\` | ${speed(best.native)} | ${speed(best.module)} | ` +
    `${number(100 * best.native / best.module)} % | ${speed(best.objects)} |`);
}
