import fc from 'fast-check';

/** The filters of lists by moments, in models of lists: minutes after a start. */

const MINUTE = 60_000;

const names = ['created_after', 'created_before', 'updated_after', 'updated_before'] as const;

export type Moments = Partial<Record<(typeof names)[number], number | undefined>>;

export const momentQuestions = (max: number) => {
  const minutes = () => fc.nat({ max });
  return {
    created_after: minutes(),
    created_before: minutes(),
    updated_after: minutes(),
    updated_before: minutes(),
  };
};

export function momentsFrom(start: number) {
  const at = (minutes: number) => start + minutes * MINUTE;
  return {
    /** Whether a record of the model is what the filters ask for. */
    isWithin({ created, touched }: { created: number; touched: number }, asked: Moments): boolean {
      const { created_after, created_before, updated_after, updated_before } = asked;
      return (
        (created_after === undefined || created > at(created_after)) &&
        (created_before === undefined || created < at(created_before)) &&
        (updated_after === undefined || touched > at(updated_after)) &&
        (updated_before === undefined || touched < at(updated_before))
      );
    },
    /** A query as it is sent. */
    withMoments<Query extends Moments>(query: Query): Omit<Query, keyof Moments> & Record<string, unknown> {
      const sent = names.flatMap((name) => {
        const minutes = query[name];
        return minutes === undefined ? [] : [[name, new Date(at(minutes)).toISOString()]];
      });
      return { ...query, ...Object.fromEntries(sent) };
    },
  };
}
