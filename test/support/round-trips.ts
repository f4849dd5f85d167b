import type { Table } from '../../shared/table/table.ts';

/**
 * Counts the calls to the table and how many of them wait for each other: a call is one deeper than the deepest one
 * that was answered before it was sent.
 */
export interface RoundTrips {
  calls: string[];
  depth: number;
}

export async function countRoundTrips(table: Table, work: () => Promise<unknown>): Promise<RoundTrips> {
  const counted: RoundTrips = { calls: [], depth: 0 };
  let answered = 0;
  const stack = table.client.middlewareStack;
  stack.add(
    (next, context) => async (args) => {
      counted.calls.push(context.commandName as string);
      const depth = answered + 1;
      counted.depth = Math.max(counted.depth, depth);
      const answer = await next(args);
      answered = Math.max(answered, depth);
      return answer;
    },
    { step: 'initialize', name: 'count', override: true },
  );
  try {
    await work();
  } finally {
    stack.remove('count');
  }
  return counted;
}
