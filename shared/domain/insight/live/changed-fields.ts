import { isDeepStrictEqual } from 'node:util';
import type { Change, StreamedItem } from '#shared/table/stream.ts';

/** By attribute, the fields of the response that show it. */
export type ShownBy = Readonly<Record<string, readonly string[]>>;

/** Fields that are stored as they are shown. */
export const sameNames = (fields: object): ShownBy =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, [name]]));

/** The names of the fields of the response that a change touches; of an item that came or went, all that it has. */
export function changedFields({ before, after }: Pick<Change, 'before' | 'after'>, shown: ShownBy): string[] {
  const [old = {} as StreamedItem, next = {} as StreamedItem] = [before, after];
  const touched = Object.keys(shown).filter((name) => !isDeepStrictEqual(old[name], next[name]));
  return [...new Set(touched.flatMap((name) => shown[name] ?? []))];
}
