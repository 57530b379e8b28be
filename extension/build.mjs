// Checks the types and writes the unpacked extension.
//
//   node build.mjs [FOLDER]    # ../build/extension

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import esbuild from 'esbuild';

const here = path.dirname(fileURLToPath(import.meta.url));
const out = path.resolve(process.argv[2] ?? path.join(here, '../build/extension'));
// The core, which `make wasm` builds.
const core = path.join(here, '../build/wasm');

const types = spawnSync(process.execPath, [path.join(here, 'node_modules/typescript/bin/tsc'), '--project', here], { stdio: 'inherit' });
if (types.status !== 0) process.exit(1);
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const shared = {
  absWorkingDir: here,

  outdir: out, bundle: true, target: ['chrome121', 'firefox128'], charset: 'ascii', legalComments: 'inline', logLevel: 'warning',
  alias: { 'twinset-wasm': path.join(core, 'index.js') },
};
// A content script is no module.
await esbuild.build({ ...shared, entryPoints: ['src/content.ts'], format: 'iife' });
await esbuild.build({ ...shared, entryPoints: ['worker', 'popup', 'options', 'blocked'].map((name) => `src/${name}.ts`), format: 'esm' });
cpSync(path.join(core, 'chunks.wasm'), path.join(out, 'chunks.wasm'));
cpSync(path.join(here, 'manifest.json'), path.join(out, 'manifest.json'));
for (const folder of ['pages', 'icons']) cpSync(path.join(here, folder), out, { recursive: true });
