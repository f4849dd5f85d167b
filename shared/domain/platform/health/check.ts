import { ApiError } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';

/** Milliseconds in which the table is read once, however often a function is asked: anybody may ask. */
const REMEMBERED = 5_000;
/** Milliseconds: whoever asks for the health does not wait as long as other callers. */
const PATIENCE = 3_000;

const found = new WeakMap<Table, { at: number; problem: Promise<unknown> }>();

/** Why the table cannot be read; undefined when it can. */
async function problemOf(table: Table): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Error>((resolve) => {
    timer = setTimeout(resolve, PATIENCE, new Error('The table does not respond'));
  });
  const read = table.get(keys.tableFact('data_version')).then(
    () => undefined,
    (error: unknown) => error,
  );
  return Promise.race([read, late]).finally(() => clearTimeout(timer));
}

/** Throws `service_unavailable` unless the table can be read. */
export async function requireHealth(table: Table, now: Date): Promise<void> {
  const known = found.get(table);
  const fresh = known && Math.abs(now.getTime() - known.at) < REMEMBERED;
  const check = fresh ? known : { at: now.getTime(), problem: problemOf(table) };
  found.set(table, check);
  const cause = await check.problem;
  if (cause) throw new ApiError('service_unavailable', { cause });
}
