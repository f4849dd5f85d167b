import { wordsOfMessage } from '#shared/domain/mail/texts/words.ts';
import type { IdRow } from '#shared/domain/mail/threads/message-ids.ts';
import type { Message } from '#shared/domain/mail/threads/thread.ts';
import { addDoc } from '#shared/domain/platform/text-index/docs.ts';
import { sortIndex } from '#shared/domain/platform/text-index/sort.ts';
import { keys } from '#shared/table/keys.ts';
import type { AnyItem, Table } from '#shared/table/table.ts';
import { randomOf } from './random.ts';
import { text } from './words.ts';

/** The whole texts of the newest messages of threads, in the indexes of their mailboxes. */

/** Words of a text: some 85 different ones, as in the median of real mail. */
const WORDS = 130;
/** Threads after which the indexes are sorted, as in an import. */
const SORTED_EVERY = 1_000;

export class Texts {
  readonly #table: Table;
  readonly #mailboxes: string[];
  readonly #random = randomOf(2);
  #unsorted = 0;

  constructor(table: Table, mailboxes: string[]) {
    this.#table = table;
    this.#mailboxes = mailboxes;
  }

  /** The row by which a message is found, and its place in each index. */
  items(message: Message): AnyItem[] {
    const { account_id, id, id_hash, thread_id, sent, mailbox_ids } = message;
    const row: IdRow = {
      ...keys.messageId(account_id, id_hash, id),
      ...{ message_id: id, thread_id, sent, deliveries: {}, copies: '' },
      ...(mailbox_ids ? { mailbox_ids } : {}),
    };
    const body = { new_plain_text: text(this.#random, WORDS), quoted_plain_text: null };
    const words = wordsOfMessage({ ...message, body });
    const places = [...(mailbox_ids ?? [])].map((mailbox) =>
      addDoc(mailbox, { id, moment: sent, ref: id_hash }, words),
    );
    this.#unsorted++;
    return [row, ...places.flatMap((write) => ('put' in write ? [write.put] : []))];
  }

  get isDue(): boolean {
    return this.#unsorted >= SORTED_EVERY;
  }

  /** Once everything is written: DynamoDB Local refuses to queue many writes. */
  async sort(): Promise<void> {
    this.#unsorted = 0;
    const ctx = { table: this.#table, clock: () => new Date() };
    for (const mailbox of this.#mailboxes) await sortIndex(ctx, mailbox, { timeIsUp: () => false });
  }
}
