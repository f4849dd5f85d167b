/** A file of mail that can be read at any place: an mbox, a zip of .eml files, or one message. */
export interface ArchiveSource {
  /** Bytes. */
  size: number;
  file_name: string;
  /** The bytes from `start` to `end` (exclusive), in pieces of any size. */
  read(start: number, end: number): AsyncIterable<Uint8Array>;
}

/**
 * Where to go on reading; safe to keep as JSON, the start is `{offset: 0, ordinal: 0}`. `offset` is a byte in an
 * mbox or message and the number of a directory entry in a zip; `ordinal` counts the entries given before.
 */
export interface ArchivePosition {
  offset: number;
  ordinal: number;
}

/** One message, or why there is none. Reading on from `next` gives exactly the entries after this one. */
export type ArchiveEntry = { ordinal: number; name: string | null; next: ArchivePosition } & (
  | Message
  | { failure: ArchiveFailure }
);

interface Message {
  raw: Uint8Array;
  /** The date of the mbox line above the message, ISO 8601 in UTC; null where there is none. */
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

/** An entry before it has its number; `end` is the offset of the next. */
export type RawEntry = { name: string | null; end: number } & (Message | { failure: ArchiveFailure });
