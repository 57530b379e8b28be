// The modules of the extension's source, for tests without a browser.

import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../extension');
const esbuild = createRequire(path.join(folder, 'package.json'))('esbuild');

/** src/NAME.ts as a script. */
async function script(name, settings) {
  const built = await esbuild.build({ entryPoints: [path.join(folder, `src/${name}.ts`)], bundle: true, write: false, ...settings });
  return built.outputFiles[0].text;
}

/** What src/NAME.ts exports. */
export async function source(name) {
  return import(`data:text/javascript;base64,${Buffer.from(await script(name, { format: 'esm' })).toString('base64')}`);
}

/** A script that gives a page these exports under the name `module`. */
export const sourceForPage = (name, module) => script(name, { format: 'iife', globalName: module });
