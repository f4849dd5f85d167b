import type { Table } from '#shared/table/table.ts';

/** The most items that one call of the work asks for by their keys. */
export async function mostReadTogether({ client }: Table, work: () => Promise<unknown>): Promise<number> {
  let most = 0;
  const name = 'read-together';
  client.middlewareStack.add(
    (next) => (args) => {
      const { RequestItems = {} } = args.input as { RequestItems?: Record<string, { Keys?: unknown[] }> };
      for (const { Keys = [] } of Object.values(RequestItems)) most = Math.max(most, Keys.length);
      return next(args);
    },
    { step: 'initialize', name, override: true },
  );
  try {
    await work();
  } finally {
    client.middlewareStack.remove(name);
  }
  return most;
}
