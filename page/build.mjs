// Checks the types and writes page.js and page.css, which the program embeds.
//
//   node build.mjs [FOLDER]    # built/, which is in the source tree
//
// The bytes depend on the sources and on package-lock.json alone; tests/page/run.py compares them with built/.

import { spawnSync } from 'node:child_process';
import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import esbuild from 'esbuild';

const here = path.dirname(fileURLToPath(import.meta.url));
const out = path.resolve(process.argv[2] ?? path.join(here, 'built'));

const types = spawnSync(process.execPath, [path.join(here, 'node_modules/typescript/bin/tsc'), '--project', here], { stdio: 'inherit' });
if (types.status !== 0) process.exit(1);
mkdirSync(out, { recursive: true });
await esbuild.build({
  absWorkingDir: here, outdir: out, bundle: true, minify: true, charset: 'ascii', legalComments: 'none', logLevel: 'warning',
  target: ['chrome109', 'firefox115', 'safari16'], format: 'iife', jsx: 'automatic', jsxImportSource: 'preact',
  entryPoints: { page: 'src/main.tsx' },
  banner: { js: '/*! twinset, Apache-2.0. Holds Preact (MIT, Copyright 2015 Jason Miller) and parts of D3 (ISC, Copyright 2010 Mike Bostock): page/THIRD_PARTY.md of the sources */' },
});
await esbuild.build({
  absWorkingDir: here, outdir: out, bundle: true, minify: true, charset: 'ascii', logLevel: 'warning',
  target: ['chrome109', 'firefox115', 'safari16'], entryPoints: { page: 'src/page.css' },
});
const size = (name) => statSync(path.join(out, name)).size;
console.log(`page.js ${size('page.js')} bytes, page.css ${size('page.css')} bytes`);
