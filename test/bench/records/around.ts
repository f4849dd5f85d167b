import { type Client, createClient } from '#shared/api/client.ts';
import type { CustomField, DefinedType } from '#shared/domain/collaboration/custom-fields/custom-field.ts';
import { indexWith } from '#shared/domain/collaboration/custom-fields/lists.ts';
import type { RecordIndex } from '#shared/domain/collaboration/record-lists/entry.ts';
import type { GuardedItem } from '#shared/domain/collaboration/records/policy.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { createMailbox } from '#shared/domain/mail/mailboxes/create.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { families } from '../../../functions/catalogue.ts';

/** What the records of a world are linked to: a few of each type, which are there before them. */

export interface Around {
  mailbox_id: string;
  /** Organizations, half of all: 1 % of the contacts are employed at the first, the others at the rest. */
  employers: string[];
  /** Spaces of records; the first has 110 contacts and 55 organizations, the others have a tenth of all contacts. */
  spaces: string[];
  milestone_id: string;
  calendar_event_id: string;
  fields: Record<DefinedType, CustomField[]>;
}

const SPACES = 5;
export const DOMAIN = 'asked.example';

type Api = Client<typeof families>;

const times = <T>(count: number, make: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, i) => make(i)));

const define = (
  key: string,
  type: CustomField['type'],
  { record_type, position, now }: { record_type: DefinedType; position: number; now: Date },
): CustomField => ({
  ...{ id: newId(now), user_id: null, record_type, key, name: key, type, position },
  options: type === 'select' ? ['emea', 'apac'].map((value) => ({ value, name: value })) : [],
  ...{ required: false, unique: false, indexed: true },
  created_at: now.toISOString(),
  updated_at: null,
});

/** Ready, as after the job of a new definition. */
async function givenFields(table: Table, account_id: string, type: DefinedType, now: Date) {
  const of = { record_type: type, now };
  const fields = [
    define('region', 'select', { ...of, position: 0 }),
    define('score', 'number', { ...of, position: 1 }),
  ];
  await table.put({ ...keys.customFields(account_id, type), fields, version: 1 });
  return fields;
}

async function givenEvent(api: Api, now: Date): Promise<string> {
  const [calendar] = (await api.listCalendars()).body.collection.records;
  const [starts_at, ends_at] = [1, 2].map((hours) =>
    new Date(now.getTime() + hours * 3_600_000).toISOString(),
  );
  const calendar_event = { calendar_id: calendar?.id, name: 'Asked', starts_at, ends_at };
  return (await api.createCalendarEvent({ body: { calendar_event } as never })).body.calendar_event.id;
}

export async function givenAround(
  table: Table,
  { url, key, user, now, employers }: { url: string; key: string; user: User; now: Date; employers: number },
): Promise<Around> {
  const api: Api = createClient(families, { base_url: url, key });
  const { account_id, email_address } = user;
  const mailbox = {
    account_id,
    user_id: user.id,
    email_address,
    name: 'Ada',
    contact_creation: 'none' as const,
  };
  const { id: mailbox_id } = await createMailbox(table, mailbox, now);
  const asked = { name: 'Asked', domains: [DOMAIN], external_id: 'asked' };
  const { organization } = (await api.createOrganization({ body: { organization: asked } })).body;
  // The others are written later, under these ids.
  const others = Array.from({ length: employers }, () => newId(now));
  const spaces = await times(SPACES, async (i) => {
    const space = { name: `Space ${i}`, kind: 'records' as const };
    return (await api.createSpace({ body: { space } })).body.space.id;
  });
  const { milestone } = (await api.createMilestone({ body: { milestone: { name: 'Asked' } } as never })).body;
  const [contacts, organizations, deals] = await Promise.all(
    (['contacts', 'organizations', 'deals'] as const).map((type) =>
      givenFields(table, account_id, type, now),
    ),
  );
  return {
    ...{ mailbox_id, employers: [organization.id, ...others], spaces, milestone_id: milestone.id },
    calendar_event_id: await givenEvent(api, now),
    fields: { contacts, organizations, deals } as Around['fields'],
  };
}

/** The index of a type as the account has it, without reading that for each record. */
export const indexAround = <R extends GuardedItem>(index: RecordIndex<R>, around: Around | undefined) =>
  indexWith(index, around?.fields[index.type as DefinedType] ?? []);

/** Nearly all records have values of both fields; 1 % are of the one region. */
export const valuesOf = (number: number, isAsked: boolean) =>
  JSON.stringify({ region: isAsked ? 'apac' : 'emea', ...(number % 10 === 0 ? {} : { score: number }) });
