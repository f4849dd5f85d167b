import type { Activity } from '#shared/domain/collaboration/activity/activity.ts';
import type { Contact } from '#shared/domain/crm/contacts/contact.ts';
import { keys } from '#shared/table/keys.ts';
import type { AnyItem, Table } from '#shared/table/table.ts';
import { sortRecords } from '../../support/listed.ts';
import { type Place, placeOf } from '../records/cases.ts';
import { families, givenFamily } from '../records/families.ts';
import { givenRecords } from '../records/world.ts';
import { say } from '../service.ts';
import { givenThreads, type ThreadWorld } from '../threads/world.ts';

/** An account with the wanted number of contacts and of threads, with other records, and with what happened to them. */

export interface ViewWorld extends Place {
  threads: ThreadWorld;
  /** Written for it. */
  items: number;
}

/** That the contact was created, in the timelines of the contact, the account and the user. */
function creationOf({ account_id, user_id, id, created_at }: Contact): AnyItem[] {
  const moment = Date.parse(created_at);
  const activity: Omit<Activity, 'PK' | 'SK'> = {
    ...{ id, account_id, type: 'record_created', moment, user_id, detail: {}, agent: null },
    record_type: 'contacts',
    record_id: id,
  };
  const places = [keys.activity('contacts', id, moment, id), keys.activityOf(account_id, moment, id)];
  const own = user_id === null ? [] : [keys.activityOf(user_id, moment, id)];
  return [...places, ...own].map((key) => ({ ...key, ...activity }));
}

export async function givenViews(table: Table, url: string, rows: number, now: Date): Promise<ViewWorld> {
  const progress = (noun: string) => (done: number) => say(`${done} of ${rows} ${noun} written`);
  const threads = await givenThreads(table, { rows, now, texts: true, progress: progress('threads') });
  const of = { account_id: threads.caller.account.id, users: threads.members };
  const world = await givenRecords(table, {
    ...{ rows, now, of, beside: creationOf },
    progress: progress('contacts'),
  });
  const place = placeOf(url, world);
  let items = threads.items + world.items;
  for (const family of families) {
    say(`${family.name} beside ${rows} contacts`);
    items += await givenFamily(table, place, family);
  }
  say('indexes of records sorted');
  await sortRecords(table, [world.account_id, ...of.users.map(({ user }) => user.id)]);
  return { ...place, threads, items };
}
