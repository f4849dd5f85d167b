import { invalidField } from '#shared/errors.ts';
import type { RecordType } from '#shared/table/keys.ts';
import type { RecordRef } from './kind.ts';
import type { LinkedRecords } from './links.ts';
import { type LinkableType, singular } from './types.ts';

/** Fields of requests that link a record to others: of tasks and files. */

/** The type of the records in each field, in the order of the links. */
export type LinkFields = Readonly<Record<string, LinkableType>>;

/** The fields of a request: one id or several. */
export type SentLinks<Fields extends LinkFields> = {
  [Field in keyof Fields]?: string | string[] | null | undefined;
};

/** Of a type with links. */
export interface Linking<Fields extends LinkFields> {
  type: RecordType;
  fields: Fields;
  /** Links of one record. */
  most: number;
}

export const linksOfType = (links: RecordRef[], type: LinkableType): string[] =>
  links.filter((link) => link.type === type).map(({ id }) => id);

/** The links with one at its former place; the same ones when it has none any more. */
export function linkedAgain<Fields extends LinkFields>(
  { fields, most }: Linking<Fields>,
  links: RecordRef[],
  to: RecordRef,
  place: number,
): RecordRef[] {
  const [field = ''] = Object.entries(fields).find(([, type]) => type === to.type) ?? [];
  const own = linksOfType(links, to.type as LinkableType);
  const isFull = links.length >= most || (own.length > 0 && !field.endsWith('_ids'));
  if (isFull || own.includes(to.id)) return links;
  const order = Object.values(fields).map(String);
  return links.toSpliced(place, 0, to).sort((a, b) => order.indexOf(a.type) - order.indexOf(b.type));
}

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
export async function linksAfter<Fields extends LinkFields>(
  { type, fields, most }: Linking<Fields>,
  before: RecordRef[],
  sent: SentLinks<Fields>,
  linked: LinkedRecords,
): Promise<RecordRef[]> {
  const all = await Promise.all(
    Object.entries(fields).map(([field, target]) => {
      const own = before.filter((link) => link.type === target);
      const value = sent[field];
      return value === undefined ? own : linksIn(target, value, { before: own, linked });
    }),
  );
  const links = all.flat();
  if (links.length <= most) return links;
  const field = Object.keys(fields).find((name) => Array.isArray(sent[name])) ?? 'contact_ids';
  throw invalidField(field, 'too_long', `a ${singular(type)} is linked to at most ${most} records`);
}
