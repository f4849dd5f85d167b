/** A mail file with random access: an mbox, a zip of .eml and .mbox files, or one message. */
export interface ArchiveSource {
  /** Bytes. */
  size: number;
  file_name: string;
  /** The bytes from `start` to `end` (exclusive), in pieces of any size. */
  read(start: number, end: number): AsyncIterable<Uint8Array>;
}

/**
 * Where reading continues; safe to store as JSON, begins at `{offset: 0, ordinal: 0}`. `offset` is a byte in an mbox or
 * message and the index of a directory entry in a zip; `ordinal` counts the entries so far.
 */
export interface ArchivePosition {
  offset: number;
  /** Within an mbox in a zip: a byte of the mbox. */
  inner?: number;
  ordinal: number;
}

/** One message, or why it could not be read. Reading from `next` returns exactly the entries after this one. */
export type ArchiveEntry = { ordinal: number; name: string | null; next: ArchivePosition } & (
  | Message
  | { failure: ArchiveFailure }
);

interface Message {
  raw: Uint8Array;
  /** The date of the mbox line above the message, ISO 8601 in UTC; null without one. */
  envelope_date: string | null;
}

export interface ArchiveFailure {
  reason:
    | 'too_large'
    | 'not_a_message'
    | 'unsupported_file'
    | 'encrypted'
    | 'corrupt'
    | 'bomb'
    | 'broken_archive';
  /** For people. */
  message: string;
}

/** An entry without its number; `end` and `inner` are the position of the next one. */
export type RawEntry = { name: string | null; end: number; inner?: number } & (
  | Message
  | { failure: ArchiveFailure }
);
