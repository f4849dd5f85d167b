/** Bytes of the largest message that is read. */
export const MAX_MESSAGE = 25 * 1024 * 1024;

/** The same in words, for failures. */
export const TOO_LARGE = 'The message is larger than 25 MB.';

/** Recipients of a message, in all fields together. Further ones are counted. */
export const MAX_RECIPIENTS = 10_000;

/** Attachments of a message, and the bytes of their names, types and ids. Further ones are counted. */
export const MAX_ATTACHMENTS = 300;
export const MAX_ATTACHMENT_NAMES = 150_000;

/** Bytes of one header field, and of all header fields including those of the parts. The rest is not read. */
export const MAX_FIELD = 1024 * 1024;
export const MAX_HEADERS = 2 * 1024 * 1024;
export const MAX_HEADER_LINES = 100_000;

/** Parts of a message, and their nesting depth. Further ones are not read. */
export const MAX_PARTS = 1000;
export const MAX_NESTING = 100;

/**
 * Bytes of all plain text parts, and of all HTML parts, that are decoded: more than the 1 MB of text that is stored.
 */
export const MAX_TEXT_READ = 4 * 1024 * 1024;
