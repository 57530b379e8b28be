// Sketches of texts and pages, and how much two of them have in common: a second module, which is loaded when
// it is needed.
//
//   const sketcher = await loadSketches();
//   const one = sketcher.sketch('Fish and chips and vinegar', { scheme: 'simhash' });
//   const other = sketcher.sketch('Fish and chips and salt', { scheme: 'simhash' });
//   sketcher.compare(one, other, { scheme: 'simhash' }).distance;   // { differ: 9, bits: 64 }
import { Core, CoreError } from './module.js';

export { CoreError };

export function loadSketches(source = new URL('./sketches.wasm', import.meta.url)) {
  return Sketcher.load(source);
}

class Sketcher extends Core {
  spec(rules = {}) {
    return this.guarded(0, (exports) => this.set(rules, exports.twinset_set_scheme));
  }

  sketch(text, rules = {}) {
    const bytes = this.bytesOf(text);
    return this.guarded(bytes.length, (exports) => {
      this.set(rules, exports.twinset_set_scheme);
      exports.twinset_sketch(this.give(bytes));
      return this.said();
    });
  }

  compare(a, b, rules = {}) {
    return this.guarded(a.length + b.length, (exports) => {
      this.set(rules, exports.twinset_set_scheme);
      const at = exports.twinset_compare(this.give(a, b), a.length);
      const [value, low, high, standardError, differ, bits] = new Float64Array(exports.memory.buffer, at, 6);
      return {
        resemblance: value < 0 ? null : { value, low, high, standardError },
        distance: bits < 0 ? null : { differ, bits },
      };
    });
  }
}
