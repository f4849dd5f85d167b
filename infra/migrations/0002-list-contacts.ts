import { indexRecord } from '#shared/domain/collaboration/record-lists/index-record.ts';
import type { Contact } from '#shared/domain/crm/contacts/contact.ts';
import { contactIndex } from '#shared/domain/crm/contacts/lists.ts';
import { keyOf, keys } from '#shared/table/keys.ts';
import { mustExist, type Table, unlessThere } from '#shared/table/table.ts';
import { eachPage } from './each-page.ts';
import type { Migration } from './migrate.ts';

/** Contacts had an index of the table for their names, and lists of words by id. */

const TYPE = 'contacts';
const RECORDS = keys.record(TYPE, '').PK;
const OLD_LISTS = /^LIST#[^#]+#contacts:(?!\w+:)/;

async function listContact(table: Table, { PK, SK, id }: Contact): Promise<void> {
  await table.update<Contact & { list?: string; rank?: string }>(
    { PK, SK },
    { set: { shares: unlessThere({}) }, remove: ['list', 'rank'], when: mustExist },
    'NONE',
  );
  await indexRecord({ table, clock: () => new Date() }, contactIndex as never, id);
}

export const listContacts: Migration = {
  version: 2,
  summary: 'put contacts into lists by name, time, owner and words',
  readable_from: 2,
  step: eachPage(async (table, items) => {
    for (const item of items) {
      if (item.PK.startsWith(RECORDS) && item.SK === 'META') await listContact(table, item as Contact);
      else if (OLD_LISTS.test(item.PK)) await table.delete(keyOf(item));
    }
  }),
};
