import { Batch, MOST_MESSAGES } from '#shared/domain/mail/arriving/batch.ts';
import { finishBatch } from '#shared/domain/mail/arriving/finish.ts';
import type { Taken, Target } from '#shared/domain/mail/arriving/take.ts';
import { MAX_MESSAGE } from '#shared/domain/mail/mime/limits.ts';
import type { ServedCopy } from '#shared/domain/mail/servers/server.ts';
import { copiesAt, storeCopies } from './copies.ts';
import type { MailCopy } from './copy.ts';
import type { MailFolder } from './folder.ts';
import { withKnownMarks } from './known-marks.ts';
import { isPoison, note } from './suspect.ts';
import { type Arrival, ServerFailed, type Syncing } from './syncing.ts';
import { failedCopy, leftOut, readCopy, takeCopy } from './take-copy.ts';

/** Takes over some messages of a folder: each into its thread, then their threads into lists, then their copies. */

/** Messages in a row that the server cannot tell: then it is the server. */
const UNTOLD = 10;

/** Of a message that was gone when it was to be read. */
const gone: Taken = { failed: { reason: 'gone', message: 'The message is gone.' } };

export interface TakenBatch {
  /** Those that are there now, known ones included. */
  copies: MailCopy[];
  /** The last message that was begun: all in order up to it are done. */
  last: number;
}

export class CopyBatch {
  readonly #sync: Syncing;
  readonly #folder: MailFolder;
  readonly #target: Target;
  readonly #batch: Batch;
  readonly #copies: MailCopy[] = [];
  /** Those of messages that the mailbox had before. */
  readonly #others = new Set<MailCopy>();
  #untold = 0;

  constructor(sync: Syncing, folder: MailFolder, { target, readers }: Arrival) {
    this.#sync = sync;
    this.#folder = folder;
    this.#target = target;
    this.#batch = new Batch(readers);
  }

  /** Those of the messages that fit, in their order. */
  async take(served: ServedCopy[], { again = false } = {}): Promise<TakenBatch> {
    const some = served.slice(0, this.#folder.careful ? 1 : MOST_MESSAGES);
    const uids = some.map(({ uid }) => uid);
    const known = await copiesAt(this.#sync.ctx.table, this.#folder, uids);
    const stored: MailCopy[] = [];
    let last = -1;
    for (const each of some) {
      const before = known.get(each.uid);
      if (before && before.outcome !== 'begun' && !again) stored.push(before);
      else await this.#start(each, before);
      last = each.uid;
      if (this.#batch.isFull) break;
    }
    await finishBatch(this.#sync.ctx, this.#target, this.#batch);
    const replaced = [...known.values()].filter(({ outcome }) => again || outcome === 'begun');
    const copies = await withKnownMarks(this.#sync, this.#copies, this.#others);
    await storeCopies(this.#sync.ctx.table, copies, replaced);
    return { copies: [...stored, ...copies], last };
  }

  async #start(served: ServedCopy, before: MailCopy | undefined): Promise<void> {
    const left = leftOut(this.#sync, this.#folder, served);
    if (left) {
      this.#copies.push(left);
      return;
    }
    const bytes = Math.min(served.size, MAX_MESSAGE);
    await this.#batch.start(
      bytes,
      () => this.#work(served, before),
      () => undefined,
    );
  }

  async #work(served: ServedCopy, before: MailCopy | undefined): Promise<Taken> {
    const refuse = async (reason: string, raw?: Uint8Array): Promise<Taken> => {
      const refused = { reason, ...(raw ? { raw } : {}) };
      this.#copies.push(await failedCopy(this.#sync, this.#folder, served, refused, before));
      return { failed: { reason, message: reason } };
    };
    if (this.#folder.careful) {
      if (isPoison(this.#folder, served.uid)) return refuse('unreadable');
      await note(this.#sync.ctx.table, this.#folder, served.uid);
    }
    const raw = await readCopy(this.#sync, this.#folder, served);
    if (raw === undefined) return gone;
    if (raw instanceof ServerFailed) {
      if (++this.#untold >= UNTOLD) throw raw;
      return refuse('provider_failed');
    }
    this.#untold = 0;
    const { taken, copy } = await takeCopy(this.#sync, this.#target, this.#folder, { served, raw, before });
    this.#copies.push(copy);
    if ('outcome' in taken && taken.known) this.#others.add(copy);
    return taken;
  }
}
