import { isDeepStrictEqual } from 'node:util';
import {
  type Came,
  isOwn,
  united,
  waysAlone,
  withoutWays,
} from '#shared/domain/collaboration/records/came-by.ts';
import { keyOf } from '#shared/table/keys.ts';
import { asRead, type Condition, present, update, type Write, when } from '#shared/table/table.ts';
import type { Tagging } from './tagging.ts';

/** The ways that taggings came by, when two of one tag become one. */

/** What tells the taggings of two records with one tag apart. */
export const said = ({ id, user_id, created_at }: Tagging) => ({ id, user_id, created_at });

/** It is there, and came the ways that were read: no way that another worker adds is lost. */
export const cameAsRead = ({ came_by }: Tagging & Came): Condition =>
  when<Tagging & Came>({ PK: present, came_by: asRead(came_by) });

/** The tagging that stays, of both: each came some way. */
export const withWays = (tagging: Tagging, came: Came): Write => ({
  put: { ...withoutWays(tagging), ...came },
  when: cameAsRead(tagging),
});

/**
 * A record that has the replacement of its tag already keeps one tagging, which came all ways of both and shows the one that
 * is the record's own.
 */
export function uniting(kept: Tagging & Came, ending: Tagging): Write[] {
  const [shown, other] = isOwn(ending) && !isOwn(kept) ? [ending, kept] : [kept, ending];
  const came = united(shown, other, said(other));
  if (isDeepStrictEqual(came, waysAlone(kept))) return [];
  return [
    update<Tagging & Came>(keyOf(kept), {
      set: { ...said(shown), ...waysAlone(came) },
      when: { PK: present, came_by: asRead(kept.came_by) },
    }),
  ];
}
