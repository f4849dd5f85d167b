import type { Table } from '#shared/table/table.ts';
import { measureTable } from './meter.ts';
import type { TestUser, Workspace } from './workspace.ts';

/** The commands that `work` sends to the table, and the sequential round trips among them. */
export async function countRoundTrips(table: Table, work: () => Promise<unknown>) {
  const { calls, depth } = await measureTable(table, work);
  return { calls: calls.map(({ command }) => command), depth };
}

/**
 * The same for requests of one user, at a time at which all of them are authenticated by the same calls: in the first
 * minute of an hour one more item is read, and the first request after a pause may remove counters.
 */
export async function countRequestTrips(workspace: Workspace, user: TestUser, work: () => Promise<unknown>) {
  workspace.setTime(new Date('2060-01-01T10:30:00Z'));
  try {
    await user.api.retrieveCurrentUser();
    return await countRoundTrips(workspace.table, work);
  } finally {
    workspace.setTime(undefined);
  }
}
