/**
 * Bytes of text for one answer, including tools and the whole conversation: 24,000 tokens at four bytes. English text
 * has more bytes for each token, ids and some scripts have fewer.
 */
export const CONTEXT_BYTES = 96_000;

/** The maximum of the question and of one tool result. */
export const QUESTION_BYTES = 12_000;
export const RESULT_BYTES = 24_000;

/** Tokens of one answer of the model, and bytes of it that are used. */
export const ANSWER_TOKENS = 1_500;
export const RESPONSE_BYTES = 24_000;

/** Calls of the model for one answer: it may use tools in all but the last. */
export const ROUNDS = 8;

const encoder = new TextEncoder();

/** The text, or its beginning with an ellipsis, in so many bytes of UTF-8; lone surrogates become U+FFFD. */
export function beginning(text: string, bytes: number): string {
  const whole = text.toWellFormed();
  if (Buffer.byteLength(whole) <= bytes) return whole;
  if (bytes < 3) return '';
  // Whole characters only: https://encoding.spec.whatwg.org/#dom-textencoder-encodeinto
  const { read } = encoder.encodeInto(whole, new Uint8Array(bytes - 3));
  return `${whole.slice(0, read)}…`;
}
