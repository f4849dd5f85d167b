import { keys } from '#shared/table/keys.ts';
import type { Item, Table } from '#shared/table/table.ts';
import { tryUpdate } from '#shared/table/try-update.ts';
import type { DueWork } from './due.ts';

/**
 * Work that ends the process each time, by its memory or its time, must not block what is due beside it (as in
 * mail/imports/suspect.ts). Runs are counted before they work. After some that never ended, each work is done by itself, and
 * noted before: one that was noted twice rests, for operators to see, and is tried again after all others another day.
 */

/** Runs without an end after which work is done one by one: every deployment may interrupt one run. */
const TRIES = 2;
/** Notes of one work. */
const NOTES = 2;
/** Milliseconds. */
const REST = 24 * 60 * 60_000;

type Runs = Item & {
  /** Begun in a row, and never ended. */
  tries?: number;
};

const RUNS = keys.tableFact('due_work');

/** Whether this run has to be careful. */
export async function beginRun(table: Table): Promise<boolean> {
  const { tries = 0 } = await table.update<Runs>(RUNS, { add: { tries: 1 } });
  return tries > TRIES;
}

/** Its process did not end, whatever failed. */
export const endRun = (table: Table): Promise<unknown> => table.update<Runs>(RUNS, { set: { tries: 0 } });

export const isPoison = ({ suspect }: DueWork): boolean => (suspect?.notes ?? 0) >= NOTES;

export const isResting = ({ suspect }: DueWork, now: Date): boolean =>
  suspect !== undefined && now.getTime() - suspect.noted < REST;

/** Before it is done. False when it is done or was written again meanwhile. */
export async function note(table: Table, { PK, SK, version, suspect }: DueWork, now: Date): Promise<boolean> {
  const set = { suspect: { notes: (suspect?.notes ?? 0) + 1, noted: now.getTime() } };
  return (await tryUpdate<DueWork>(table, { PK, SK }, { set, when: { version } })) !== undefined;
}

/** The process did not end. */
export async function unnote(table: Table, { PK, SK, version }: DueWork): Promise<void> {
  await tryUpdate<DueWork>(table, { PK, SK }, { remove: ['suspect'], when: { version } });
}
