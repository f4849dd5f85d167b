import { isDeepStrictEqual } from 'node:util';
import { mapAtOnce } from '#shared/at-once.ts';
import { betterName, type Correspondent } from '#shared/domain/collaboration/records/correspondent.ts';
import { isRoleAddress } from '#shared/domain/collaboration/records/role-addresses.ts';
import type { ContactCreation } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { exactly, type Item, mustNotExist, type Table, when } from '#shared/table/table.ts';
import type { Met } from './met.ts';

/**
 * What all mail of a mailbox says about an address, in an item of its own: adding what a message says again, or in
 * another order, gives the same (docs/decisions/0044).
 */
export type Acquaintance = Item & Met & { revision: number };

const earliest = (a: number | undefined, b: number | undefined) =>
  a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);

function joined(a: Met, b: Met): Met {
  const all: { [Name in keyof Met]: Met[Name] | undefined } = {
    email_address: a.email_address,
    wrote_at: earliest(a.wrote_at, b.wrote_at),
    heard_at: earliest(a.heard_at, b.heard_at),
    is_list: a.is_list ?? b.is_list,
    name: betterName(a.name, b.name),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as unknown as Met;
}

const metOf = ({ PK: _, SK: __, revision: ___, ...met }: Acquaintance): Met => met;

/** Writes in parallel. */
const AT_ONCE = 16;

/** Adds what was read to what is known; returns what is known then. */
function remember(table: Table, mailbox_id: string, met: Met, read: Acquaintance | undefined): Promise<Met> {
  const key = keys.acquaintance(mailbox_id, met.email_address);
  let attempts = 0;
  return retryOnConflict(async () => {
    const before = attempts++ === 0 ? read : await table.get<Acquaintance>(key);
    const after = before ? joined(metOf(before), met) : met;
    if (before && isDeepStrictEqual(after, metOf(before))) return after;
    const revision = (before?.revision ?? 0) + 1;
    const unchanged = before ? when<Acquaintance>({ revision: exactly(before.revision) }) : mustNotExist;
    await table.put({ ...after, ...key, revision }, unchanged);
    return after;
  });
}

/** Who writes by themselves is no list. */
const isList = ({ is_list, heard_at }: Met) => is_list === true && heard_at === undefined;

/** Whether it is a contact. */
function isWanted(met: Met, creation: ContactCreation): boolean {
  const { email_address, wrote_at, heard_at } = met;
  if (isList(met)) return false;
  if (wrote_at !== undefined) return true;
  return creation === 'all' && heard_at !== undefined && !isRoleAddress(email_address);
}

function asCorrespondent(met: Met, creation: ContactCreation): Correspondent {
  const { email_address, name, wrote_at, heard_at } = met;
  const since = (creation === 'all' ? earliest(wrote_at, heard_at) : wrote_at) ?? 0;
  return { email_address, name, since, wanted: isWanted(met, creation), is_list: isList(met) };
}

/** What the mailbox knows of these people, with what some of its messages just said. */
export async function getAcquainted(
  table: Table,
  mailbox_id: string,
  creation: ContactCreation,
  met: readonly Met[],
): Promise<Correspondent[]> {
  if (creation === 'none') return [];
  const byAddress = [...Map.groupBy(met, ({ email_address }) => email_address).values()];
  const said = byAddress.map((some) => some.reduce(joined));
  const known = await table.getMany<Acquaintance>(
    said.map(({ email_address }) => keys.acquaintance(mailbox_id, email_address)),
  );
  const before = new Map(known.map((each) => [each.email_address, each]));
  const after = await mapAtOnce(said, AT_ONCE, (each) =>
    remember(table, mailbox_id, each, before.get(each.email_address)),
  );
  return after.map((each) => asCorrespondent(each, creation));
}
