import type { AnyItem } from '#shared/table/table.ts';
import { givenReactions } from './comments.ts';
import { givenDeal } from './deals.ts';
import { mergeCall, runIndexings } from './duplicates.ts';
import { givenFile } from './files.ts';
import { givenContact } from './proposals.ts';
import {
  comment,
  contactRef,
  type GivenRecord,
  givenRecord,
  givenShare,
  runRemovals,
  tag,
} from './removed-records.ts';
import { givenSpace, join } from './spaces.ts';
import { allItems } from './tags.ts';
import type { Workspace } from './workspace.ts';

/** Two contacts with all kinds of dependents, of their own and of both, and all that is stored. */

let made = 0;

export async function givenPair(
  workspace: Workspace,
  reactions = 60,
): Promise<{ into: string; from: GivenRecord }> {
  const { ada, grace, linus } = workspace;
  made += 1;
  const from = await givenRecord(workspace, { reactions });
  const { id: into } = await givenContact(ada, {
    name: `Survivor ${made}`,
    email_addresses: [{ email_address: `survivor-${made}@life.example` }],
  });
  const third = await givenContact(ada, { name: 'Third' });
  const both = [into, from.id];
  const loved = await comment(linus, into, { html_content: 'Of the survivor' });
  await givenReactions(workspace, grace, { id: into }, loved, 3, 'contacts');
  await tag(ada, into, 'Shared tag');
  await tag(ada, into, `Tag of survivor ${made}`);
  await givenShare(workspace, into, { user_id: linus.user.id, group_id: null }, 'edit');
  await givenShare(workspace, into, { user_id: grace.user.id, group_id: null });
  for (const contact_ids of [both, [from.id], [into]])
    await grace.api.createTask({ body: { task: { name: 'About', contact_ids } } });
  await givenDeal(ada, {
    contacts: [
      { id: into, role: 'buyer' },
      { id: from.id, role: 'champion' },
    ],
  });
  await givenDeal(ada, { contacts: [{ id: from.id, role: 'legal' }, { id: third.id }] });
  await givenFile(workspace, ada, { visibility: 'linked', links: both.map(contactRef) });
  await givenFile(workspace, ada, { visibility: 'linked', links: [contactRef(from.id)] });
  const spaces = [await givenSpace(ada), await givenSpace(ada)];
  await join(ada, spaces[0]?.id ?? '', { contact_id: from.id });
  for (const contact_id of both) await join(ada, spaces[1]?.id ?? '', { contact_id });
  for (const contact_id of both) await ada.api.pinContact({ params: { contact_id } });
  await grace.api.pinContact({ params: { contact_id: from.id } });
  await ada.api.updateContact({ params: { id: from.id }, body: { contact: { nickname: 'Told' } } });
  return { into, from };
}

export async function mergePair(workspace: Workspace, into: string, from: string): Promise<void> {
  await mergeCall(workspace.ada, into, from);
  await runRemovals(workspace);
  await runIndexings(workspace);
}

/** Work, also what is due later and then finds nothing to do, and credentials. */
const PASSING = /^(JOBS#|DUE#|RATE#|IDEMPOTENCY#|KEY#|DISTINCT#)/;

/** In indexes of records: what left them, and their states. */
const isPassingIn = (PK: string, SK: string) =>
  SK.startsWith('LEFTINDEX#') || (PK.startsWith('TEXTS#') && !SK.startsWith('LOG#'));

/** When a change was, and how many there were. */
const VERSIONS = new Set(['updated_at', 'written', 'revision', 'version', 'carried', 'relisted', 'replaces']);

function stateOf({ PK, SK: _, ...rest }: AnyItem): string {
  // Deals are found by when they changed.
  const isMoment = (name: string) => name === 'moment' && PK.startsWith('TEXTS#');
  const kept = Object.entries(rest).filter(([name]) => !VERSIONS.has(name) && !isMoment(name));
  return JSON.stringify(kept.sort(), (name, value: unknown) => {
    if (value instanceof Set) return [...value].sort();
    if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
    if (name === 'found') return { ...(value as object), moment: undefined };
    return name === 'updated_at' || name === 'written' ? undefined : value;
  });
}

/** What is stored, by its key, except for what a merge and its end leave on purpose: histories, that they happened, and that both are two people. */
export async function everything({ table }: Workspace): Promise<Record<string, string>> {
  const items = await allItems(table);
  const lasting = items.filter(
    ({ PK, SK, type }) =>
      !PASSING.test(PK) &&
      !isPassingIn(PK, SK) &&
      !/^(HISTORY|DISTINCT)#/.test(SK) &&
      !PK.includes('updated_at') &&
      !(SK.startsWith('ACTIVITY#') && /^record_(merged|updated)$/.test(String(type))),
  );
  return Object.fromEntries(lasting.map((item) => [`${item.PK} ${item.SK}`, stateOf(item)]));
}
