// What a person decided about records, with undo and redo. The last decision about a record counts. Each change goes
// to the source at once; one that the source refuses is taken back and told.

import type { Decision, Judgment, RecordName, Source } from './source';
import { recordOf } from './source';

interface Change {
  record: string;
  before: Decision | undefined;
  after: Decision | undefined;
}

export class Decisions {
  private readonly decided = new Map<string, Decision>();
  private done: Change[] = [];
  private undone: Change[] = [];
  private readonly listeners = new Set<() => void>();
  /** One after another, so that the source has them in order. */
  private sending: Promise<void> = Promise.resolve();
  said = '';
  failure = '';

  constructor(private readonly source: Source) {}

  async load(): Promise<void> {
    for (const each of await this.source.decisions()) {
      if (each.decision === 'none') this.decided.delete(each.record);
      else this.decided.set(each.record, each);
    }
    this.tell();
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  of(name: RecordName): Judgment | undefined {
    const decision = (this.decided.get(recordOf(name)) ?? this.decided.get(name.id))?.decision;
    return decision === 'none' ? undefined : decision;
  }

  all(): Decision[] {
    return [...this.decided.values()];
  }

  get size(): number {
    return this.decided.size;
  }
  get undoable(): boolean {
    return this.done.length > 0;
  }
  get redoable(): boolean {
    return this.undone.length > 0;
  }

  decide(name: RecordName, judgment: Judgment | 'none'): void {
    const record = recordOf(name);
    const before = this.decided.get(record);
    const after: Decision | undefined = judgment === 'none' ? undefined : {
      record, id: name.id, ...(name.file ? { file: name.file, number: name.record ?? 0 } : {}), decision: judgment,
      time: new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
    };
    const change = { record, before, after };
    this.done.push(change);
    this.undone = [];
    this.apply(record, after, judgment === 'restore' ? `${name.id} will be kept.` : judgment === 'remove' ? `${name.id} will be removed.` : `Nothing is decided about ${name.id}.`, change);
  }

  undo(): void {
    const change = this.done.pop();
    if (!change) return;
    this.undone.push(change);
    this.apply(change.record, change.before, `Undone: ${change.record}.`);
  }

  redo(): void {
    const change = this.undone.pop();
    if (!change) return;
    this.done.push(change);
    this.apply(change.record, change.after, `Done again: ${change.record}.`);
  }

  clear(record: string): void {
    const before = this.decided.get(record);
    if (!before) return;
    this.done.push({ record, before, after: undefined });
    this.undone = [];
    this.apply(record, undefined, `Nothing is decided about ${record}.`);
  }

  /** The file that `twinset restore --decisions` takes: a line of JSON each. */
  lines(): string {
    return this.all().map((each) => `${JSON.stringify(each)}\n`).join('');
  }

  private set(record: string, decision: Decision | undefined): void {
    this.decided.delete(record);
    if (decision) this.decided.set(record, decision);
  }

  private apply(record: string, decision: Decision | undefined, said: string, refused?: Change): void {
    const before = this.decided.get(record);
    this.set(record, decision);
    this.said = said;
    this.failure = '';
    this.tell();
    this.sending = this.sending.then(() => this.source.decide([decision ?? { record, decision: 'none' }])).catch((error: unknown) => {
      this.set(record, before);
      if (refused) this.done = this.done.filter((each) => each !== refused);
      this.failure = `The decision about ${record} was not kept: ${error instanceof Error ? error.message : String(error)}`;
      this.tell();
    });
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}
