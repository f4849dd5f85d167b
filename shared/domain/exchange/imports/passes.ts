import type { Position, RecordImport } from './import.ts';

/**
 * Rows that only mean something after others, as exceptions do after their series, may be anywhere in a file. A first pass
 * leaves them to a second one (docs/decisions/0050). Rows are counted through both, so that each has a place in the order in which they are read.
 */

export const isSecondPass = ({ rows_of_first_pass }: Position): boolean => rows_of_first_pass !== undefined;

/** The first pass has read the file. */
export const needsSecondPass = (position: Position): boolean =>
  position.leaves_some === true && !isSecondPass(position);

export const startOfSecondPass = ({ begin, position: { row, poison } }: RecordImport): Position => ({
  offset: begin,
  row,
  rows_of_first_pass: row,
  ...(poison ? { poison } : {}),
});

/** Rows before a place that the file does not have: those of the first pass. */
export const readBefore = ({ rows_of_first_pass }: Position): number => rows_of_first_pass ?? 0;
