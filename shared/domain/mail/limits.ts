/** Bytes of the largest message that is read. */
export const MAX_MESSAGE = 25 * 1024 * 1024;

/** The same in words, for failures. */
export const TOO_LARGE = 'The message is larger than 25 MB.';
