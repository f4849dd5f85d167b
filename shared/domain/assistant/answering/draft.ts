import { isDeepStrictEqual } from 'node:util';
import {
  type AssistantReply,
  type Naming,
  type Ref,
  refKey,
  type StoredBlock,
} from '#shared/domain/collaboration/replies/block.ts';
import { type Change, noChange } from '#shared/domain/platform/jobs/commit.ts';
import type { NewJob } from '#shared/domain/platform/jobs/job.ts';
import type { Write } from '#shared/table/table.ts';

/** Blocks of one reply, so that it fits its item. */
const MAX_BLOCKS = 12;
/** Characters of the text, and of all blocks as JSON. */
const MAX_TEXT = 20_000;
const MAX_BLOCKS_SIZE = 150_000;
const MAX_REFS = 100;

/** `[label](thread:<id>)`: the form of a reference to a record in an answer. */
const REFERENCE =
  /\[([^\]\n]{1,300})\]\((contact|organization|thread|deal|task|calendar_event|file|space|milestone):([0-9a-fA-F-]{36})\)/g;

/** What is shown and proposed while a question is answered. It is written together with the answer. */
export class ReplyDraft {
  readonly #blocks: StoredBlock[] = [];
  readonly #writes: Write[] = [];
  readonly #jobs: NewJob[] = [];
  readonly #refs = new Map<string, Ref>();
  #size = 0;

  /** False when there is no room for it. */
  add(block: StoredBlock, refs: Ref[] = [], { writes, jobs }: Change = noChange): boolean {
    const size = JSON.stringify(block).length;
    if (this.#blocks.length >= MAX_BLOCKS || this.#size + size > MAX_BLOCKS_SIZE) return false;
    this.#blocks.push(block);
    this.#size += size;
    this.#writes.push(...writes.filter((write) => !this.#checks(write)));
    this.#jobs.push(...jobs);
    for (const ref of refs) this.refer(ref);
    return true;
  }

  /** Several proposals may depend on one record, and a transaction has one write for each item. */
  #checks(write: Write): boolean {
    return (
      'check' in write &&
      this.#writes.some((other) => 'check' in other && isDeepStrictEqual(write.check, other.check))
    );
  }

  refer(ref: Ref): void {
    this.#refs.set(refKey(ref), ref);
  }

  /** What makes the reply's proposals, for its transaction. */
  get change(): Change {
    return { writes: this.#writes, jobs: this.#jobs };
  }

  /** The number of proposals. */
  get proposals(): number {
    return this.#blocks.filter(({ type }) => type === 'proposal').length;
  }

  get isEmpty(): boolean {
    return this.#blocks.length === 0;
  }

  /** The answer with only the labels of its references, and the places of those to records that the user was shown. */
  #read(answer: string, known: (ref: Ref) => boolean): { text: string; names: Naming[] } {
    const names: Naming[] = [];
    let [text, end] = ['', 0];
    const source = answer.trim();
    for (const match of source.matchAll(REFERENCE)) {
      const [whole, label = '', type = '', id = ''] = match;
      const from = text.length + match.index - end;
      text += source.slice(end, match.index) + label;
      end = match.index + whole.length;
      const ref = { type, id: id.toLowerCase() };
      if (known(ref)) names.push({ from, to: text.length, ref });
    }
    return { text: text + source.slice(end), names };
  }

  /**
   * The reply with the answer's text. References to records that the user was shown become refs; `known` tells which
   * those are. Their labels stay in the text; other readers see their own.
   */
  finish(answer: string, known: (ref: Ref) => boolean): AssistantReply {
    const { text, names } = this.#read(answer, known);
    for (const { ref } of names) this.refer(ref);
    const shown = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…`.toWellFormed() : text;
    const prose: StoredBlock[] = shown === '' ? [] : [{ type: 'text', text: shown }];
    return {
      status: 'complete',
      text: shown,
      names: names
        .filter(({ from }) => from < shown.length)
        .map(({ to, ...naming }) => ({ ...naming, to: Math.min(to, shown.length) })),
      blocks: [...prose, ...this.#blocks],
      refs: [...this.#refs.values()].slice(0, MAX_REFS),
    };
  }
}
