import type { Finished } from '#shared/domain/mail/arriving/take.ts';
import { FinishedDeliveries } from '#shared/domain/mail/imports/finished.ts';
import type { ContactCreation } from '#shared/domain/mail/mailboxes/mailbox.ts';
import type { Table } from '#shared/table/table.ts';
import { copyKey, copyOfSource, type MailCopy } from './copy.ts';

/** A copy is stored after all that follows from its message. */
export class SyncedDeliveries implements Finished {
  readonly #table: Table;
  readonly #imports: FinishedDeliveries;

  constructor(table: Table, creation: ContactCreation) {
    this.#table = table;
    this.#imports = new FinishedDeliveries(table, creation);
  }

  async has(source: string): Promise<boolean> {
    const place = copyOfSource(source);
    if (!place) return this.#imports.has(source);
    const copy = await this.#table.get<MailCopy>(copyKey(place));
    return copy?.message_id != null && copy.outcome !== 'begun';
  }
}
