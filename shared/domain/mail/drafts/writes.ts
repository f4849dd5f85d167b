import { isDeepStrictEqual } from 'node:util';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { nextMoment } from '#shared/next-moment.ts';
import { asRead, type Write, when } from '#shared/table/table.ts';
import type { Draft } from './draft.ts';

/** Every change of a draft fails when another one was faster. */
export const asItWas = ({ updated_at, status }: Draft) =>
  when<Draft>({ updated_at: asRead(updated_at), status });

/** The draft after a change, with a moment of its own. */
export const changedDraft = <D extends Draft>(before: Draft, after: D, now: Date): D => ({
  ...after,
  updated_at: nextMoment(before, now),
});

export const draftWrite = (before: Draft, after: Draft): Write => ({ put: after, when: asItWas(before) });

/** Nothing is written when nothing changes. */
export async function writeDraft(
  { table, now }: Pick<CallerContext, 'table' | 'now'>,
  before: Draft,
  after: Draft,
): Promise<Draft> {
  if (isDeepStrictEqual(after, before)) return before;
  const changed = changedDraft(before, after, now);
  await table.transact([draftWrite(before, changed)]);
  return changed;
}
