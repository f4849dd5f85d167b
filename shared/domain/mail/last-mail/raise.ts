import { mapAtOnce } from '#shared/at-once.ts';
import type { Uuid } from '#shared/ids.ts';
import { keyOf, keys } from '#shared/table/keys.ts';
import { below, ConditionFailed, either, missing, type Table, type Update } from '#shared/table/table.ts';
import { type LastMail, momentIn, postingOf, readLastMail } from './stored.ts';

/** Keeps the last mail with each address, and the lists of those that contacts have. */

/** By address: when the newest of some messages with it was sent, in milliseconds. */
export type LastHeard = ReadonlyMap<string, number>;

interface Receiving {
  account_id: string;
  mailbox_id: string;
  /** Those of some addresses that contacts have, hidden contacts too; as it is now. */
  heldAmong(addresses: string[]): Promise<ReadonlySet<string>>;
}

/** Writes in parallel. */
const AT_ONCE = 16;

/** Returns a moment at which the address is listed no longer. */
async function raise(
  table: Table,
  { account_id, mailbox_id }: Receiving,
  email_address: string,
  moment: number,
): Promise<number | undefined> {
  const mailbox = mailbox_id as Uuid;
  const change = {
    set: { email_address, [mailbox]: moment },
    when: { [mailbox]: either<number>(missing, below(moment)) },
  } as unknown as Update<LastMail>;
  try {
    const before = await table.update<LastMail>(
      keys.lastMail(account_id, email_address),
      change,
      'UPDATED_OLD',
    );
    return momentIn(before, mailbox_id);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    // Newer mail came meanwhile, or the same.
    const now = momentIn(error.item as LastMail | undefined, mailbox_id);
    return now === moment ? undefined : moment;
  }
}

type Moments = [address: string, moment: number][];

const addressesIn = (moments: Moments) => moments.map(([address]) => address);

const putsOf = (mailbox_id: string, moments: Moments, addresses: ReadonlySet<string>) =>
  moments
    .filter(([address]) => addresses.has(address))
    .map(([address, moment]) => ({ put: postingOf(mailbox_id, moment, address) }));

/**
 * An address is listed before its item says so, and is looked for once more afterwards: of a contact that gets it
 * meanwhile (`listAddresses`), one of both sees the other.
 */
async function raiseAll(table: Table, receiving: Receiving, higher: Moments): Promise<void> {
  if (higher.length === 0) return;
  const { mailbox_id, heldAmong } = receiving;
  const held = await heldAmong(addressesIn(higher));
  await table.writeMany(putsOf(mailbox_id, higher, held));
  const raised = await mapAtOnce(higher, AT_ONCE, async ([address, moment]) => ({
    address,
    gone: await raise(table, receiving, address, moment),
  }));
  const others = addressesIn(higher).filter((address) => !held.has(address));
  const since = others.length > 0 ? await heldAmong(others) : new Set<string>();
  await table.writeMany(putsOf(mailbox_id, higher, since));
  const left = raised.flatMap(({ address, gone }) =>
    gone === undefined || !(held.has(address) || since.has(address))
      ? []
      : [{ delete: keyOf(postingOf(mailbox_id, gone, address)) }],
  );
  await table.writeMany(left);
}

/** Lists what an interrupted run raised and did not list. */
async function listMissing(table: Table, { mailbox_id, heldAmong }: Receiving, same: Moments): Promise<void> {
  if (same.length === 0) return;
  const puts = putsOf(mailbox_id, same, await heldAmong(addressesIn(same)));
  const there = await table.getMany(puts.map(({ put }) => keyOf(put)));
  const known = new Set(there.map(({ SK }) => SK));
  await table.writeMany(puts.filter(({ put }) => !known.has(put.SK)));
}

/**
 * Adds what messages of a mailbox say. Safe in any order, repeatedly and at once; a repetition completes what was
 * interrupted.
 */
export async function raiseLastMail(table: Table, receiving: Receiving, heard: LastHeard): Promise<void> {
  const { account_id, mailbox_id } = receiving;
  const known = await readLastMail(table, account_id, heard.keys(), { consistent: false });
  const knownOf = (address: string) => momentIn(known.get(address), mailbox_id) ?? Number.NEGATIVE_INFINITY;
  const said = [...heard];
  await raiseAll(
    table,
    receiving,
    said.filter(([address, moment]) => knownOf(address) < moment),
  );
  await listMissing(
    table,
    receiving,
    said.filter(([address, moment]) => knownOf(address) === moment),
  );
}

/** Lists addresses that a contact has from now on, in every mailbox with mail of them. Idempotent. */
export async function listAddresses(table: Table, account_id: string, addresses: string[]): Promise<void> {
  const known = await readLastMail(table, account_id, addresses);
  const postings = [...known.values()].flatMap(({ PK, SK, email_address, ...moments }) =>
    Object.entries(moments as Record<string, number>).map(([mailbox_id, moment]) => ({
      put: postingOf(mailbox_id, moment, email_address),
    })),
  );
  await table.writeMany(postings);
}
