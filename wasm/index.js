// Chunks of pages, and which of them are known: the core of twinset, compiled to WebAssembly.
//
//   const core = await load();
//   const known = Labels.from(core.chunk(myBank, { content: 'text', minChars: 26 }).map((c) => c.hash));
//   core.contains(known, otherPage, { content: 'text', minChars: 26 });  // { chunks: 40, matched: [3], share: 0.025 }
//
// Nothing is sent anywhere, nothing is evaluated, and the page is only read.
import { Labels, toHex } from './labels.js';
import { Core, CoreError, fromModule } from './module.js';

export { CoreError, Labels };

const CHUNK_BYTES = 40; // of the module's: the hash in 32, then begin and end

export function load(source = new URL('./chunks.wasm', import.meta.url)) {
  return ChunkCore.load(source);
}

class ChunkCore extends Core {
  options() {
    return this.guarded(0, (exports) => {
      exports.twinset_options();
      return this.saidText().split('\n').slice(0, -1).map((line) => {
        const [name, values, byDefault, help] = line.split('\t');
        return { name: fromModule(name), values, default: byDefault, help };
      });
    });
  }

  rules(rules = {}) {
    return this.guarded(0, (exports) => this.#setRules(exports, rules));
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
    return this.#cut(html, rules, (memory, at, chunks, hashBytes, line) => {
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
    const page = this.bytesOf(html);
    return this.guarded(page.length, (exports) => {
      const line = this.#setRules(exports, rules);
      const count = exports.twinset_chunk(this.give(page));
      return use(new Uint8Array(exports.memory.buffer), exports.twinset_chunks(), count, exports.twinset_hash_bytes(), line);
    });
  }

  /** The line that says the rules. */
  #setRules(exports, rules) {
    return this.set(rules, typeof rules === 'string' ? exports.twinset_parse_rules : exports.twinset_set_rules);
  }
}

/** Chunks of two least lengths can be compared. */
const withoutLeast = (line) => line.replace(/ least=\d+$/, '');
