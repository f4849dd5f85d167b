import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import type { LinkedRecords } from '#shared/domain/collaboration/records/links.ts';
import type { LinkableType } from '#shared/domain/collaboration/records/types.ts';
import { invalidField } from '#shared/errors.ts';
import { MAX_LINKS } from './written.ts';

/** The records that a task is about. */

/** The type of the records in each field, in the order of a task's refs. */
export const linkFields = {
  thread_id: 'threads',
  contact_ids: 'contacts',
  organization_ids: 'organizations',
  deal_id: 'deals',
  space_id: 'spaces',
  milestone_id: 'milestones',
  calendar_event_id: 'calendar_events',
} as const satisfies Record<string, LinkableType>;

type LinkField = keyof typeof linkFields;

/** The fields of a request: one id or several. */
export type SentLinks = { [Field in LinkField]?: string | string[] | null | undefined };

export const linksOfType = (links: RecordRef[], type: LinkableType): string[] =>
  links.filter((link) => link.type === type).map(({ id }) => id);

/** Hidden ones stay when an array is replaced: the caller does not know of them. */
async function hiddenOf(links: RecordRef[], linked: LinkedRecords): Promise<RecordRef[]> {
  const found = await Promise.all(links.map((link) => linked.find(link)));
  return links.filter((_, i) => found[i] === undefined);
}

async function linksIn(
  type: LinkableType,
  sent: string | string[] | null,
  { before, linked }: { before: RecordRef[]; linked: LinkedRecords },
): Promise<RecordRef[]> {
  const ids = [...new Set(Array.isArray(sent) ? sent : sent === null ? [] : [sent])];
  const known = new Set(before.map(({ id }) => id));
  const added = await linked.requireKept(ids.filter((id) => !known.has(id)).map((id) => ({ type, id })));
  const kept = before.filter(({ id }) => ids.includes(id));
  const hidden = Array.isArray(sent) ? await hiddenOf(before, linked) : [];
  const all = [...kept, ...hidden, ...added].map(({ id }) => id);
  return [...new Set(all)].map((id) => ({ type, id }));
}

/** The links after a request. 404 for a record that is not visible, 400 `too_long` for too many. */
export async function linksAfter(
  before: RecordRef[],
  sent: SentLinks,
  linked: LinkedRecords,
): Promise<RecordRef[]> {
  const fields = Object.entries(linkFields) as [LinkField, LinkableType][];
  const all = await Promise.all(
    fields.map(([field, type]) => {
      const own = before.filter((link) => link.type === type);
      const value = sent[field];
      return value === undefined ? own : linksIn(type, value, { before: own, linked });
    }),
  );
  const links = all.flat();
  if (links.length <= MAX_LINKS) return links;
  const field = fields.find(([name]) => sent[name] !== undefined && Array.isArray(sent[name]))?.[0];
  throw invalidField(field ?? 'contact_ids', 'too_long', `a task is linked to at most ${MAX_LINKS} records`);
}
