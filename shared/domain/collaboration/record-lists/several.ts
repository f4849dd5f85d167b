import * as z from 'zod';
import type { GuardedItem } from '#shared/domain/collaboration/records/policy.ts';
import { refuse } from '#shared/values.ts';
import type { Criterion } from './criteria.ts';

/** Filters of lists that take several values: records with any of them. */

/** As many as tags. */
const MOST = 50;

/** The values of a filter as it was sent, each once. */
export const valuesOf = (sent: string): string[] => [
  ...new Set(sent.split(',').map((value) => value.trim())),
];

/** Values of a schema, none of which can have a comma. `meant` is what a client that sent this meant. */
export function several(value: z.ZodType<string>, meant = (sent: string) => sent) {
  const read = (sent: string) => valuesOf(meant(sent)).map((each) => value.safeParse(each));
  return z
    .string()
    .check((context) => {
      const parsed = read(context.value);
      const refused = parsed.find(({ error }) => error)?.error?.issues ?? [];
      for (const issue of refused)
        context.issues.push({ ...issue, input: context.value } as z.core.$ZodRawIssue);
      if (parsed.length > MOST) refuse(context, 'too_long', `must be at most ${MOST} values`);
    })
    .overwrite((sent) =>
      read(sent)
        .map(({ data }, i) => data ?? valuesOf(sent)[i])
        .join(','),
    );
}

/** Any of these criteria, all of which are lists, or all of which are ids. */
export function anyOf<R extends GuardedItem>(criteria: Criterion<R>[]): Criterion<R> {
  const [only] = criteria;
  if (only && criteria.length === 1) return only;
  const keeps = (record: R) => criteria.some((each) => each.keeps(record));
  // A record with several of the values is listed and counted once.
  if (criteria.every(({ ids }) => ids))
    return { ids: [...new Set(criteria.flatMap(({ ids = [] }) => ids))], keeps };
  const rough = criteria.some((each) => each.rough) ? { rough: true as const } : {};
  return { lists: criteria.flatMap(({ lists = [] }) => lists), ...rough, keeps };
}
