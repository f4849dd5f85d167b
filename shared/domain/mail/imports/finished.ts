import type { Finished } from '#shared/domain/mail/arriving/take.ts';
import { type ContactCreation, contactCreations } from '#shared/domain/mail/mailboxes/mailbox.ts';
import type { Table } from '#shared/table/table.ts';
import type { MailImport } from './import.ts';
import { findImport } from './store.ts';

/** What an import delivers: the same entry of the same import is the same delivery. */
export const sourceOf = (mail_import: string, ordinal: number) => `${mail_import}#${ordinal}`;

/** From the fewest contacts to the most. */
const rankOf = (creation: ContactCreation = 'none') =>
  creation === 'none' ? -1 : contactCreations.indexOf(creation);

/** Imports remembered; an archive may repeat the mail of any number of them. */
const REMEMBERED = 1_000;

/**
 * The deliveries behind which an import has recorded its position. All others are delivered again, which finishes
 * interrupted work.
 */
export class FinishedDeliveries implements Finished {
  readonly #table: Table;
  readonly #creation: ContactCreation;
  /** Ended imports, whose position does not move any more. */
  readonly #ended = new Map<string, Promise<MailImport | undefined>>();

  /** An import that made fewer contacts than this one has not done all of it. */
  constructor(table: Table, creation: ContactCreation) {
    this.#table = table;
    this.#creation = creation;
  }

  async has(source: string): Promise<boolean> {
    const [id = '', ordinal] = source.split('#');
    const by = await this.#find(id);
    if (!by || rankOf(by.contact_creation) < rankOf(this.#creation)) return false;
    return Number(ordinal) < Math.min(by.position.ordinal, by.unfinished_from ?? Number.POSITIVE_INFINITY);
  }

  async #find(id: string): Promise<MailImport | undefined> {
    const known = this.#ended.get(id);
    if (known) return known;
    if (this.#ended.size >= REMEMBERED) this.#ended.clear();
    const reading = findImport(this.#table, id);
    this.#ended.set(id, reading);
    try {
      const found = await reading;
      if (found?.finished_at == null) this.#ended.delete(id);
      return found;
    } catch (error) {
      this.#ended.delete(id);
      throw error;
    }
  }
}
