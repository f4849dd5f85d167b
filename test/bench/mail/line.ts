import type { Cost } from '../../support/meter.ts';

export interface Size {
  messages: number;
  /** Of each. */
  bytes: number;
}

export interface Run {
  seconds: number;
  cost: Cost;
  /** Bytes, more than before. */
  memory: number;
  /** Of IMAP. */
  commands: number;
}

/** Both readings of a mailbox. */
export interface Line {
  size: Size;
  first: Run;
  again: Run;
}
