import { Remembered } from '#shared/domain/collaboration/record-lists/remembered.ts';
import { Ahead } from '#shared/domain/collaboration/records/ahead.ts';
import { visibleRecords } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';

/** The visible spaces of the records of one response. */
export type SpacesAhead = Ahead<string>;

export const spacesAhead = (ctx: CallerContext): SpacesAhead =>
  new Ahead(async (ids) => {
    const visible = await visibleRecords(ctx, 'spaces', ids);
    return new Map(visible.map(({ id }) => [id, id]));
  });

/** The spaces that records of an account were last in: the next ones are likely to be in the same. */
const usual = new Remembered<string[]>(1_000);
const MOST = 20;

/** Begins to read them, where records take long to find. */
export const expectUsual = ({ caller: { account } }: CallerContext, spaces: SpacesAhead): void =>
  spaces.expect(usual.get(account.id) ?? []);

export function remember({ caller: { account } }: CallerContext, ids: string[]): void {
  if (ids.length === 0) return;
  usual.keep(account.id, [...new Set([...ids, ...(usual.get(account.id) ?? [])])].slice(0, MOST));
}
