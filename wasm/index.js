// Chunks of pages, and which of them are known: the core of twinset, compiled to WebAssembly.
//
//   const core = await load();
//   const known = Labels.from(core.chunk(myBank, { content: 'text', minChars: 26 }).map((c) => c.hash));
//   core.contains(known, otherPage, { content: 'text', minChars: 26 });  // { chunks: 40, matched: [3], share: 0.025 }
//
// Nothing is sent anywhere, nothing is evaluated, and the page is only read.
import { CoreError, Labels, toHex } from './labels.js';

export { CoreError, Labels };

const CHUNK_BYTES = 40; // of the module's: the hash in 32, then begin and end
const MOST_PAGE_BYTES = 0xffffffff - 64;
// An instance whose memory a large page has made large is made anew: memory of a module never shrinks.
const MOST_KEPT_BYTES = 64 << 20;

/** What `load` was given, as a compiled module. */
async function compile(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
  const url = new URL(source ?? './chunks.wasm', source === undefined ? import.meta.url : globalThis.location?.href);
  if (url.protocol === 'file:' && globalThis.process?.versions?.node) {
    const files = 'node:fs/promises'; // a variable, so that bundlers for browsers leave it alone
    return WebAssembly.compile(await (await import(files)).readFile(url));
  }
  const answer = await fetch(url);
  if (!answer.ok) throw new CoreError('module', `${url} cannot be had: status ${answer.status}`);
  return WebAssembly.compile(await answer.arrayBuffer());
}

/** Nothing that a page needs asks its system; what would print the last words of a fault gets an error. */
function importsOf(module) {
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    (imports[from] ??= {})[name] = () => 8; // EBADF
  }
  return imports;
}

export async function load(source) {
  const module = await compile(source);
  const core = new ChunkCore(module);
  core.use(await WebAssembly.instantiate(module, importsOf(module)));
  return core;
}

/** The options as lines of the module's declaration; minChars is its min_chars. */
const toModule = (name) => name.replace(/[A-Z]/g, (letter) => '_' + letter.toLowerCase());
const fromModule = (name) => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());

/** A message of the module, which marks names of options for its door to spell. */
function spelled(message) {
  return message.replace(/\0\{([a-z0-9_]+)(?:=([^\0]*)|!)?\0\}/g, (_, name, value) =>
    fromModule(name) + (value === undefined ? '' : `: '${value}'`));
}

class ChunkCore {
  #module;
  #exports = null; // of the instance; null: it stopped, or became too large
  #rules = null; // that the instance has, as it was given them

  constructor(module) {
    this.#module = module;
  }

  use(instance) {
    this.#exports = instance.exports;
    this.#rules = null;
    this.#exports._initialize();
    this.#exports.twinset_begin();
  }

  options() {
    return this.#guarded(0, (exports) => {
      exports.twinset_options();
      return this.#text().split('\n').slice(0, -1).map((line) => {
        const [name, values, byDefault, help] = line.split('\t');
        return { name: fromModule(name), values, default: byDefault, help };
      });
    });
  }

  memoryBytes() {
    return this.#exports === null ? 0 : this.#exports.memory.buffer.byteLength;
  }

  rules(rules = {}) {
    return this.#guarded(0, () => this.#setRules(rules));
  }

  chunk(html, rules = {}) {
    return this.#cut(html, rules, (memory, at, count, hashBytes) => {
      const places = new DataView(memory.buffer);
      return Array.from({ length: count }, (_, i) => {
        const begin = at + i * CHUNK_BYTES;
        return {
          begin: places.getUint32(begin + 32, true),
          end: places.getUint32(begin + 36, true),
          hash: toHex(memory, begin, begin + hashBytes),
        };
      });
    });
  }

  contains(labels, html, rules = labels.rules || {}) {
    return this.#cut(html, rules, (memory, at, chunks, hashBytes) => {
      const { line } = this.#rules;
      if (labels.rules !== '' && withoutLeast(labels.rules) !== withoutLeast(line)) {
        throw new CoreError('labels', `the labels are of other rules, ${labels.rules}, than ${line}`);
      }
      if (labels.size > 0 && hashBytes !== labels.hashBytes) {
        throw new CoreError('labels', `the labels are hashes of ${8 * labels.hashBytes} bits, those of these rules of ${8 * hashBytes}`);
      }
      const matched = [];
      for (let i = 0; i < chunks; ++i) {
        if (labels.hasBytes(memory, at + i * CHUNK_BYTES)) matched.push(i);
      }
      return { chunks, matched, share: chunks === 0 ? 0 : matched.length / chunks };
    });
  }

  #cut(html, rules, use) {
    const page = typeof html === 'string' ? new TextEncoder().encode(html) : html;
    if (!(page instanceof Uint8Array)) throw new TypeError('a page is a string or a Uint8Array');
    if (page.length > MOST_PAGE_BYTES) throw tooLarge(page.length);
    return this.#guarded(page.length, (exports) => {
      this.#setRules(rules);
      this.#give(page);
      const count = exports.twinset_chunk(page.length);
      return use(new Uint8Array(exports.memory.buffer), exports.twinset_chunks(), count, exports.twinset_hash_bytes());
    });
  }

  /** Calls `use`; if the module stops in it, or has become large, the next call makes it anew. */
  #guarded(bytes, use) {
    if (this.#exports === null) this.use(new WebAssembly.Instance(this.#module, importsOf(this.#module)));
    const exports = this.#exports;
    try {
      return use(exports);
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      this.#exports = null;
      if (exports.twinset_out_of_memory() === 1) throw tooLarge(bytes);
      throw new CoreError('module', `the core stopped at a page of ${bytes} bytes: ${error.message}`);
    } finally {
      if (exports.memory.buffer.byteLength > MOST_KEPT_BYTES) this.#exports = null;
    }
  }

  #give(bytes) {
    const at = this.#exports.twinset_input(bytes.length);
    new Uint8Array(this.#exports.memory.buffer).set(bytes, at);
  }

  #text() {
    const { memory, twinset_text: text, twinset_text_bytes: bytes } = this.#exports;
    return new TextDecoder().decode(new Uint8Array(memory.buffer, text(), bytes()));
  }

  /** The line that says the rules. */
  #setRules(rules) {
    const isLine = typeof rules === 'string';
    const given = isLine
      ? rules
      : Object.entries(rules)
          .filter(([, value]) => value !== undefined)
          .map(([name, value]) => `${toModule(name)}=${String(value).replace(/\n/g, ' ')}\n`)
          .join('');
    if (this.#rules?.given === given && this.#rules.isLine === isLine) return this.#rules.line;
    const bytes = new TextEncoder().encode(given);
    this.#give(bytes);
    const { twinset_parse_rules: parse, twinset_set_rules: set } = this.#exports;
    const taken = (isLine ? parse : set)(bytes.length) === 1;
    if (!taken) throw new CoreError('rules', spelled(this.#text()));
    this.#rules = { given, isLine, line: this.#text() };
    return this.#rules.line;
  }
}

/** Chunks of two least lengths can be compared. */
const withoutLeast = (line) => line.replace(/ least=\d+$/, '');

const tooLarge = (bytes) =>
  new CoreError('memory', `a page of ${bytes} bytes needs more memory than the core may take; it was not looked at`);
