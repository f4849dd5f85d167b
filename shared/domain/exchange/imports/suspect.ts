import type { RowError } from '#shared/domain/exchange/records/store-row.ts';
import { unlessOvertaken } from '#shared/domain/platform/jobs/overtaken.ts';
import { isOutage } from '#shared/table/failures.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import type { RecordImport } from './import.ts';

/**
 * A row that stops the import whenever it is read, even by ending the process, must not block the rows after it (as in
 * mail/imports/suspect.ts). An import without progress continues row by row, and notes each before it reads it: one that was
 * noted twice and never got a result is a failure.
 */

/** Rows whose results are one item. */
export const ROWS = 100;
/**
 * Runs without progress after which rows are read one by one, and an error that nothing explains is the result of its row:
 * every deployment interrupts one run.
 */
const TRIES = 2;
/** Notes of one row. */
const NOTES = 2;

export const isPatient = ({ tries = 0 }: RecordImport): boolean => tries <= TRIES;

/** From the row where it stopped on, until all that was read at once then is done. */
export const isCareful = (found: RecordImport): boolean =>
  !isPatient(found) || found.position.row < (found.careful_until ?? 0);

/** The row from which it continues with several at once. */
export const carefulUntil = (found: RecordImport): number =>
  isPatient(found) ? (found.careful_until ?? 0) : found.position.row + ROWS;

const notesOf = ({ suspect, position }: RecordImport) => (suspect?.row === position.row ? suspect.notes : 0);

/** Whether the row at its position was noted too often and never got a result. */
export const isPoison = (found: RecordImport): boolean => notesOf(found) >= NOTES;

export const poisonError: RowError = {
  code: 'error',
  message: 'The import stopped at this row every time it was read.',
  fields: [],
};

/** Before the row at its position is read. */
export async function note(table: Table, found: RecordImport): Promise<void> {
  const { user_id, id, run, position } = found;
  await unlessOvertaken(
    table.update<RecordImport>(
      keys.recordImport(user_id, id),
      {
        set: { suspect: { row: position.row, notes: notesOf(found) + 1 } },
        when: { status: 'running', run },
      },
      'NONE',
    ),
  );
}

/** Removes the note when the row was not at fault. */
export async function unnote(table: Table, found: RecordImport, error: unknown): Promise<void> {
  if (!isOutage(error)) return;
  const { user_id, id, run, suspect } = found;
  const when = { status: 'running', run } as const;
  await table.update<RecordImport>(
    keys.recordImport(user_id, id),
    suspect ? { set: { suspect }, when } : { remove: ['suspect'], when },
    'NONE',
  );
}
